import { logPageText } from '../api/wire/log-page.ts';
import { createRuleTexts } from '../filter-lists/rule-texts.ts';
import { lowerThreadPriority } from '../platform/thread-priority.ts';
import { nameMarker, runIngestThread } from '../query-log/index.ts';

lowerThreadPriority('helper');
await runIngestThread({ rules: createRuleTexts(nameMarker), formatPage: logPageText });
