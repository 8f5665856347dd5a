export { formatIp, type IpAddress, parseIp, parseIpOf, unmapped } from '../kit/ip-address.ts';
