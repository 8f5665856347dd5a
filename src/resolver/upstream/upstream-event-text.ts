import type { UpstreamEvent } from './member.ts';
import type { FailureReason } from './upstream-answer.ts';

const reasons: Readonly<Record<FailureReason, string>> = {
  timeout: 'no answer in time',
  unreachable: 'it cannot be reached',
  closed: 'it closed the connection before the answer',
  certificate: 'its certificate is not accepted',
  malformed: 'its answer is malformed',
  refused: 'it answers with errors',
  status: 'its HTTP status is not 200',
  busy: 'too many queries are in flight',
  loop: 'it is this server',
  'no address': 'its host name cannot be resolved',
  stopped: 'the server stops',
};

/** An event as one log line. Details from OpenSSL end with a line break. */
export function upstreamEventText(event: UpstreamEvent): string {
  switch (event.kind) {
    case 'upstream out':
      return `upstream ${event.upstream} does not answer: ${reasons[event.why]} (${event.detail.replaceAll(/\s+/g, ' ').trim()})`;
    case 'upstream back':
      return `upstream ${event.upstream} answers again after ${(event.afterMs / 1000).toFixed(1)} s`;
    case 'loop':
      return `forwarding loop: a query of this server for ${event.name} came back to it`;
  }
}
