// A host that answers for its own address by multicast DNS (RFC 6762), like Avahi or Apple devices: node mdns-responder.ts ADDRESS NAME
import { createSocket } from 'node:dgram';
import { classes, types } from '../../src/dns/numbers.ts';
import { readMessage } from '../../src/dns/read-message.ts';
import { sameName } from '../../src/dns/wire-names.ts';
import { writeMessage } from '../../src/dns/write-message.ts';
import { reverseName } from '../../src/domain/reverse-name.ts';
import { parseIp } from '../../src/kit/ip-address.ts';
import { wireName } from '../../src/kit/wire-name.ts';

const GROUP = '224.0.0.251';
const PORT = 5353;
const [address = '', name = ''] = process.argv.slice(2);
const own = wireName(reverseName(parseIp(address)!))!;
const socket = createSocket({ type: 'udp4', reuseAddr: true });

socket.on('message', (bytes, from) => {
  const query = readMessage(bytes);
  const question = query.ok && !query.value.response ? query.value.questions[0] : undefined;
  if (!query.ok || !question || question.type !== types.PTR || !sameName(question.name, own)) return;
  const record = { name: own, type: types.PTR, class: classes.IN, ttl: 10, data: wireName(name)! };
  // The reply to a query from another port than 5353 is unicast and repeats id and question (6.7).
  const reply = { ...query.value, response: true, authoritative: true, answer: [record] };
  socket.send(writeMessage(reply), from.port, from.address);
});
socket.bind(PORT, () => socket.addMembership(GROUP, address));
