import { listenTcp } from '../../../../src/resolver/transport/stream.ts';
import { answersForTests } from './answers.ts';

// A process of its own, so that it can be short of descriptors by itself.
const options = { host: '127.0.0.1', port: 0, report: () => undefined, limits: { perClient: 1000 } };
const listener = await listenTcp(options, answersForTests);
process.stdout.write(`${listener.address.port}\n`);
