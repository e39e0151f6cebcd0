import { fakeLists } from './fake-lists.ts';
import type { Operations } from '#src/web/api/operations.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};

/** The operations of an API that only reads. */
export const noOperations: Operations = {
  actions: {
    pauseRule: unused,
    resumeRule: unused,
    runRule: unused,
    announceItem: unused,
    setValue: unused,
    testRule: unused,
    previewRule: unused,
    replayRule: unused,
    resendDelivery: unused,
    resolveDelivery: unused,
    answerDelivery: unused,
    muteItem: unused,
    publishVersion: unused,
    rollBackVersion: unused,
    deleteRule: unused,
    addListEntries: unused,
    changeListEntry: unused,
    removeListEntries: unused,
    importList: unused,
    undoListChange: unused,
    configureServer: unused,
    signInAccount: unused,
    confirmAccount: unused,
    signOutAccount: unused,
    createToken: unused,
    revokeToken: unused,
    addPerson: unused,
    changeRole: unused,
    changePassword: unused,
    removePerson: unused,
    signOutPerson: unused,
  },
  queries: { rules: unused, views: unused, revision: unused, details: unused, explainItem: unused },
  lists: fakeLists([]),
  loadedRules: { now: { rules: [] }, isOn: () => true },
  streaming: new Map(),
  findDelivery: unused,
  failedAttempts: () => Promise.resolve([]),
  versions: unused,
  servers: () => Promise.resolve([]),
  checks: () => Promise.resolve([]),
  storedSchema: () => Promise.resolve({ database: 'SQLite', schema: 7 }),
  accounts: () => Promise.resolve([]),
  channelSignIn: () => Promise.resolve(undefined),
  people: () => Promise.resolve([]),
  tokens: () => Promise.resolve([]),
  auditLog: { list: () => Promise.resolve({ items: [] }) },
  repeatedRequests: { claim: unused, renew: unused, answer: unused, release: unused },
};
