/** Not every message of the system names the file that it is about. */
export function withFileName(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.message.includes(file)) return error;
  const code = 'code' in error ? { code: error.code } : {};
  return Object.assign(new Error(`${error.message} '${file}'`, { cause: error }), code);
}
