import type { ClickhouseAddress } from '../../kit/clickhouse-url.ts';
import { messageOf } from '../../kit/message-of.ts';
import { LogError } from '../log-store.ts';

/** Limit of a statement. ClickHouse stops reading when the connection is closed. */
const MAX_MS = 30_000;
const MAX_MESSAGE = 300;

/** An error that ClickHouse reported; `code` is its number. */
class ClickhouseError extends Error {
  override readonly name = 'ClickhouseError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const UNKNOWN_TABLE = 60;
export const UNKNOWN_DATABASE = 81;

export type ClickhouseClient = {
  /** Runs a SELECT; rows are arrays of their columns. */
  readonly select: <Row extends readonly unknown[]>(sql: string) => Promise<readonly Row[]>;
  readonly run: (statement: string | Uint8Array, options?: RunOptions) => Promise<void>;
};

/** `gzip`: the statement is compressed. */
type RunOptions = { readonly encoding?: 'gzip'; readonly database?: string };

/** Speaks the HTTP interface: the statement is the body of a POST request. Every failure is a `LogError`. */
export function createClickhouseClient(address: ClickhouseAddress, maxMs = MAX_MS): ClickhouseClient {
  const { origin, user, password } = address;
  const post = async (body: string | Uint8Array, options: RunOptions = {}): Promise<string> => {
    const { encoding, database = address.database } = options;
    const response = await fetch(`${origin}/?wait_end_of_query=1&database=${database}`, {
      method: 'POST',
      body,
      headers: {
        'x-clickhouse-user': user,
        'x-clickhouse-key': password,
        ...(encoding && { 'content-encoding': encoding }),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(maxMs),
    });
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text);
    return text;
  };
  const posted = async (body: string | Uint8Array, options?: RunOptions): Promise<string> => {
    try {
      return await post(body, options);
    } catch (error) {
      throw new LogError('unavailable', withOrigin(error, origin));
    }
  };
  return {
    async select<Row extends readonly unknown[]>(sql: string) {
      const text = await posted(
        `${sql}\nSETTINGS output_format_json_quote_64bit_integers = 0\nFORMAT JSONCompactEachRow`,
      );
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    run: async (statement, options) => void (await posted(statement, options)),
  };
}

function errorOf({ status, headers }: Response, text: string): ClickhouseError {
  const code = Number(headers.get('x-clickhouse-exception-code') ?? /^Code: (\d+)/.exec(text)?.[1] ?? 0);
  const message = text.slice(0, MAX_MESSAGE).trim() || `status ${status}`;
  return new ClickhouseError(code, message);
}

function withOrigin(error: unknown, origin: string): Error {
  if (error instanceof ClickhouseError) return error;
  // The reason of a failed request is the cause of the error of `fetch`.
  const reason = messageOf((error as Error).cause ?? error);
  return new Error(`ClickHouse at ${origin}: ${reason}`, { cause: error });
}

/** The error number of ClickHouse, if the call reached it. */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof LogError && error.cause instanceof ClickhouseError ? error.cause.code : undefined;
