import type { AccessActions } from './access-actions.ts';
import type { AccountActions } from './account-actions.ts';
import { createDeliveryActions, type DeliveryActionParts, type DeliveryActions } from './delivery-actions.ts';
import { createListActions, type ListActionParts, type ListActions } from './list-actions.ts';
import { createPostActions, type PostActionParts, type PostActions } from './post-actions.ts';
import { createRuleActions, type RuleActionParts, type RuleActions } from './rule-actions.ts';
import { createServerActions, type ServerActionParts, type ServerActions } from './server-actions.ts';
import { createVersionActions, type VersionActionParts, type VersionActions } from './version-actions.ts';

export type { Resolution } from '#src/engine/delivery/resolution.ts';

/** Everything that people can do, by the names in `ACTIONS`. Discord, the command line, the HTTP API and the page call it. */
export interface Actions
  extends RuleActions, DeliveryActions, VersionActions, ListActions, ServerActions, PostActions, AccountActions, AccessActions {}

export type ActionParts = RuleActionParts &
  DeliveryActionParts &
  VersionActionParts &
  ListActionParts &
  ServerActionParts &
  PostActionParts & {
    /** The actions on people and tokens. An installation on the loopback loads them when they are needed. */
    readonly openAccess: () => Promise<AccessActions>;
    /** The actions on the sign-in of accounts, which few people use. */
    readonly openAccounts: () => Promise<AccountActions>;
  };

export function createActions(parts: ActionParts): Actions {
  const { openAccess, openAccounts } = parts;
  return {
    ...createRuleActions(parts),
    ...createDeliveryActions(parts),
    ...createVersionActions(parts),
    ...createListActions(parts),
    ...createServerActions(parts),
    ...createPostActions(parts),
    signInAccount: async (...call) => (await openAccounts()).signInAccount(...call),
    confirmAccount: async (...call) => (await openAccounts()).confirmAccount(...call),
    signOutAccount: async (...call) => (await openAccounts()).signOutAccount(...call),
    createToken: async (...call) => (await openAccess()).createToken(...call),
    revokeToken: async (...call) => (await openAccess()).revokeToken(...call),
    addPerson: async (...call) => (await openAccess()).addPerson(...call),
    changeRole: async (...call) => (await openAccess()).changeRole(...call),
    changePassword: async (...call) => (await openAccess()).changePassword(...call),
    removePerson: async (...call) => (await openAccess()).removePerson(...call),
    signOutPerson: async (...call) => (await openAccess()).signOutPerson(...call),
  };
}
