/**
 * A source that a service refuses or fails to read. The message is shown to untrusted clients and reveals nothing of
 * this machine or its network; the cause is for the operator's log.
 */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly kind: 'not allowed' | 'failed';

  constructor(kind: SourceProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
