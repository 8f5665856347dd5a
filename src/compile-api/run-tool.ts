import { diffLists, validateRules } from '../compiler/index.ts';
import { diffAnswer, type ToolJob, type ToolOutcome, validateAnswer } from './tools.ts';

const encoder = new TextEncoder();

export const runTool = (job: ToolJob): ToolOutcome => ({ answer: encoder.encode(JSON.stringify(answerOf(job))) });

function answerOf(job: ToolJob): object {
  switch (job.kind) {
    case 'diff':
      return diffAnswer(diffLists(encoder.encode(job.before), encoder.encode(job.after)));
    case 'validate':
      return validateAnswer(validateRules(job.rules, job.mode));
  }
}
