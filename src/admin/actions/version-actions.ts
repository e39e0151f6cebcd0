import { ConfigError, Refused } from '#src/errors.ts';
import type { PlanLine } from '#src/engine/rule-sets/plan-lines.ts';
import type { PublicationPlan, RulePublisher } from '#src/engine/rule-sets/rule-publisher.ts';
import type { RuleVersion } from '#src/engine/rule-sets/rule-versions.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { nameOfActor, type Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, type Act, type Performed } from './audited.ts';

/** A publication: the version in force, and what it changed. */
export interface Publication {
  readonly version: RuleVersion;
  /** False: the version had the same files before. */
  readonly isNew: boolean;
  readonly changes: readonly PlanLine[];
}

/** The actions on the versions of all rules. They throw a {@link Refused} if there are no versions, or if another person published one. */
export interface VersionActions {
  readonly publishVersion: Act<'publishVersion', Publication>;
  readonly rollBackVersion: Act<'rollBackVersion', Publication>;
  readonly deleteRule: Act<'deleteRule', Publication>;
}

/** Rules with errors are not published. */
export class RulesHaveErrors extends Refused {
  readonly errors: readonly Diagnostic[];

  constructor(errors: readonly Diagnostic[]) {
    super('rulesHaveErrors', 'The rules have errors. Nothing is published.');
    this.errors = errors;
  }
}

export interface VersionActionParts {
  /** Absent: the rules are files of this machine, without versions. */
  readonly openPublisher?: (() => Promise<Pick<RulePublisher, 'planFiles' | 'planRollback' | 'planDeletion' | 'publish'>>) | undefined;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

interface PublishOptions {
  readonly by: Actor;
  readonly publisher?: string | undefined;
  readonly note?: string | undefined;
  /** The version in force that the person saw. */
  readonly after?: number | undefined;
}

/** The actions on the versions of a database. */
export function createVersionActions({ openPublisher, auditLog }: VersionActionParts): VersionActions {
  async function open() {
    if (openPublisher) return openPublisher();
    throw new Refused('noVersions', 'The rules are files in the rules folder of this machine. Rules have versions only with DATABASE_URL.');
  }

  async function publish(
    plan: PublicationPlan,
    { by, publisher = nameOfActor(by), note, after }: PublishOptions,
  ): Promise<Performed<Publication>> {
    const inForce = plan.inForce?.number ?? 0;
    if (after !== undefined && after !== inForce) throw overtaken(plan.inForce);
    const { kind, version } = await (await open()).publish(plan, { by: publisher, note });
    if (kind === 'overtaken') throw overtaken(version);
    const result = { version, isNew: kind === 'published', changes: plan.lines };
    if (kind === 'same') return { result, outcome: 'unchanged' };
    return { result, outcome: 'done', before: { version: inForce }, after: { version: version.number } };
  }

  return {
    publishVersion: audited('publishVersion', auditLog, async ({ files, ...options }, by) => {
      const plan = await (await open()).planFiles(files);
      if (plan.errors > 0) throw new RulesHaveErrors(plan.diagnostics.filter(({ severity }) => severity === 'error'));
      return publish(plan, { ...options, by });
    }),

    rollBackVersion: audited('rollBackVersion', auditLog, async ({ version, ...options }, by) =>
      publish(await (await open()).planRollback(version).catch(refused('versionNotFound')), { ...options, by }),
    ),

    deleteRule: audited('deleteRule', auditLog, async ({ rule, ...options }, by) =>
      publish(await (await open()).planDeletion(rule).catch(refused('notApproved')), { ...options, by }),
    ),
  };
}

function overtaken(version: RuleVersion | undefined): Refused {
  const what = version ? `${version.by} published version ${version.number} at the same time` : 'No version is in force';
  return new Refused('overtaken', `${what}. Nothing is published: read the rules again.`);
}

function refused(code: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ConfigError ? new Refused(code, `${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`) : error;
  };
}
