import type { Names } from './reading/names.ts';
import type { Repo } from './xrpc/repo.ts';
import type { Xrpc } from './xrpc/xrpc.ts';

/** The signed-in account, as the operations work with it. */
export interface Account {
  readonly xrpc: Xrpc;
  readonly repo: Repo;
  readonly names: Names;
  readonly now: () => Date;
  /** How many requests a page may take that is put together from several. */
  readonly pageRequests: number;
}
