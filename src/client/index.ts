export {
  type Client,
  type ClientSettings,
  createClient,
  type Exchange,
  type OperationName,
  type Options,
  type Reply,
} from './client.ts';
export type * from './operations.ts';
export { WeirError } from './weir-error.ts';
