/** A source, include or pattern file could not be read; the message names it. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly source: string;

  constructor(source: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.source = source;
  }
}
