type Target = {
  readonly url: string;
  /** Authorization of the owner of a tenant that is not the operator. */
  readonly authorization: string;
  readonly password: string;
  /** The address in the setting `operator`. */
  readonly operatorEmail: string;
};

export type Takeover = { readonly tries: number; readonly granted: number };

const NEW_PASSWORD = 'a password of the invited member';

/**
 * A tenant tries to become the operator: takes the operator's address by an e-mail change, then by an invitation to itself. After each step
 * it sends a request that only the operator may send.
 */
export async function takeOverOperator(target: Target): Promise<Takeover> {
  const { url, authorization, password, operatorEmail: email } = target;
  const send = async (method: string, path: string, as: string | undefined, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: as }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  let tries = 0;
  let granted = 0;
  const tryAs = async (as: string): Promise<void> => {
    for (const [method, path] of [
      ['GET', '/api/v1/system'],
      ['POST', '/api/v1/system/backup'],
    ] as const) {
      tries++;
      if ((await send(method, path, as)).status === 200) granted++;
    }
  };
  await tryAs(authorization);
  await send('PUT', '/api/v1/email', authorization, { email, current_password: password });
  await tryAs(authorization);
  const away = { email: `away-${email}`, current_password: password };
  await send('PUT', '/api/v1/email', authorization, away);
  const { json: invitation } = await send('POST', '/api/v1/invitations', authorization, { email, role: 'owner' });
  const accept = { token: invitation?.token ?? '', password: NEW_PASSWORD };
  const { json: member } = await send('POST', '/api/v1/invitations/accept', undefined, accept);
  if (member?.access_token) await tryAs(`Bearer ${member.access_token}`);
  await tryAs(authorization);
  return { tries, granted };
}
