const WINDOW_MS = 2;
const HIGH_RATE_PER_MS = 20;
/** Batches of at least this size are not delayed: more packets are waiting already, or a pause would save nothing. */
const MANY_PACKETS = 32;
const PAUSE_MICROSECONDS = 150;

/**
 * Call this after every batch. From 20,000 packets per second on, each wake-up reads one or two packets and costs more CPU time than
 * answering them. Then the thread pauses and reads the packets that have arrived meanwhile in one batch. Answers are up to 0.2 ms later,
 * and other threads get the CPU time of the saved wake-ups.
 */
export function coalescePackets(pause: (microseconds: number) => void): (packets: number, now: number) => void {
  let since = 0;
  let count = 0;
  let isHighRate = false;
  return (packets, now) => {
    count += packets;
    if (now >= since + WINDOW_MS) {
      isHighRate = count >= (now - since) * HIGH_RATE_PER_MS;
      since = now;
      count = 0;
    }
    if (isHighRate && packets < MANY_PACKETS) pause(PAUSE_MICROSECONDS);
  };
}
