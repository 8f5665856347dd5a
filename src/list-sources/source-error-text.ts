/**
 * A source that a service does not read or cannot read. The message is for whoever asked, who may be anybody: it says
 * nothing of this machine or of the network around it. What happened is the cause, and the operator's to see.
 */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly kind: 'not allowed' | 'failed';

  constructor(kind: SourceProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
