const WINDOW_MS = 2;
const HIGH_RATE_PER_MS = 20;
/** After so many packets at once, more are waiting or nothing would be saved. */
const MANY_PACKETS = 32;
const PAUSE_MICROSECONDS = 150;

/**
 * To be called after every batch. From 20,000 packets a second on, each wake-up reads one or two packets and costs more than their
 * answers. Then the thread pauses, and reads those that have arrived meanwhile together: answers are up to 0.2 ms later, and other
 * threads get the time that wake-ups would take.
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
