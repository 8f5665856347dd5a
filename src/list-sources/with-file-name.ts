/** Some system errors do not name their file. */
export function withFileName(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.message.includes(file)) return error;
  const code = 'code' in error ? { code: error.code } : {};
  return Object.assign(new Error(`${error.message} '${file}'`, { cause: error }), code);
}
