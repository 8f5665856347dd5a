import { availableParallelism } from 'node:os';
import { isUdpBatchPossible } from '../resolver/transport/udp-mmsg.ts';
import type { Settings } from '../settings/settings.ts';

const MAX_UDP_THREADS = 4;

/** The number of threads that read UDP packets in batches; 0 where that is not possible or plain DNS is off. */
export const udpThreadsFor = ({ udpThreads, dns }: Pick<Settings, 'udpThreads' | 'dns'>): number =>
  dns === 'off' || isUdpBatchPossible() !== true ? 0 : udpThreads || Math.min(MAX_UDP_THREADS, availableParallelism());

/** The number of ring buffers of query records: one per UDP thread and one for the resolver thread. */
export const ringsFor = (settings: Pick<Settings, 'udpThreads' | 'dns'>): number => udpThreadsFor(settings) + 1;
