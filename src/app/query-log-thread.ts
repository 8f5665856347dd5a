import { logPageText } from '../api/wire/log-page.ts';
import { createRuleTexts } from '../filter-lists/rule-texts.ts';
import { nameMarker, runIngestThread } from '../query-log/index.ts';

await runIngestThread({ rules: createRuleTexts(nameMarker), formatPage: logPageText });
