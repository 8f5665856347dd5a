import { diffLists, validateRules } from '../compiler/index.ts';
import type { ToolJob, ToolOutcome } from './tools.ts';

const encoder = new TextEncoder();

export function runTool(job: ToolJob): ToolOutcome {
  switch (job.kind) {
    case 'diff':
      return { kind: 'diff', diff: diffLists(encoder.encode(job.before), encoder.encode(job.after)) };
    case 'validate':
      return { kind: 'validate', verdicts: validateRules(job.rules, job.mode) };
  }
}
