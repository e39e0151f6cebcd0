import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { isDatabaseUnavailable, Refused, UserError, messageOf } from '#src/errors.ts';
import { includesRole, type Actor } from './actor.ts';
import type { AuditLog, AuditOutcome } from './audit-log.ts';
import { ACTIONS, type ActionDeclaration, type ActionInput, type ActionName } from './declarations.ts';

/** The result of an action, and what the log of actions keeps of it. */
export interface Performed<Result> {
  readonly result: Result;
  readonly outcome: Exclude<AuditOutcome, 'started' | 'failed'>;
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
}

/** An action, as front ends call it. It throws a {@link RoleMissing} if the actor has no right to it. */
export type Act<Name extends ActionName, Result> = (input: ActionInput<Name>, by: Actor, signal?: AbortSignal) => Promise<Result>;

/** What administrators of one Discord server can do with what belongs to the server. These actions check what belongs to it. */
const IN_SERVER: readonly ActionName[] = [
  'resendDelivery',
  'resolveDelivery',
  'answerDelivery',
  'muteItem',
  'announceItem',
  'configureServer',
  'addListEntries',
  'changeListEntry',
  'removeListEntries',
  'importList',
  'undoListChange',
  'editPost',
  'movePost',
  'cancelPost',
];

/** The actor has no right to an action. */
export class RoleMissing extends UserError {}

/** Makes an action of its implementation: it checks the role and the scope of the actor, and logs what was done. */
export function audited<Name extends ActionName, Result>(
  name: Name,
  auditLog: Pick<AuditLog, 'start' | 'end'>,
  perform: (input: ActionInput<Name>, by: Actor, signal?: AbortSignal) => Promise<Performed<Result>>,
): Act<Name, Result> {
  const { needs, target, reads = false }: ActionDeclaration = ACTIONS[name];
  /** The action is over, so its person gets its result or its error even if the database does not answer. */
  async function end(entry: Parameters<AuditLog['end']>[0]): Promise<void> {
    await auditLog.end(entry).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
  }
  return async (input, by, signal) => {
    if (!includesRole(by.role, needs)) throw new RoleMissing(`${by.name} needs the role ${needs} for this action.`);
    if (by.scope && !IN_SERVER.includes(name))
      throw new RoleMissing(`${by.name} acts for one Discord server only, and this action is for the whole installation.`);
    if (reads) return (await perform(input, by, signal)).result;
    const id = randomUUID();
    await auditLog.start({ id, action: name, by, target: String(Reflect.get(input, target)) });
    let performed: Performed<Result>;
    try {
      performed = await perform(input, by, signal);
    } catch (error) {
      if (error instanceof Refused) await end({ id, outcome: 'refused', after: { refused: error.code } });
      else await end({ id, outcome: 'failed', after: { error: messageOf(error) } });
      throw error;
    }
    const { result, ...ending } = performed;
    await end({ id, ...ending });
    return result;
  };
}
