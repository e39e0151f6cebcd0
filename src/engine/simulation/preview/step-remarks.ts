import { resolve } from 'node:path';
import { PlatformError } from '#src/errors.ts';
import { findFileError } from '#src/http/media/file-errors.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { SAMPLE_ORIGIN } from '#src/engine/testing/world/sample-record.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import type { PreviewedStep } from './preview-simulation.ts';

type MissingParts = readonly (readonly Omission[])[];

/** The remarks about a step that would be done: parts of it that would be cut, omitted or refused. */
export async function remarksOn(
  { planned, outcome }: PreviewedStep,
  { missing, accounts }: { readonly missing: MissingParts; readonly accounts: PreviewAccounts },
): Promise<readonly StepRemark[]> {
  if (outcome.kind !== 'done') return [];
  const { params, cut, foreignPings } = outcome;
  const strict = planned.step.strict ?? false;
  return [
    ...(cut === undefined ? [] : [{ kind: 'cut', detail: cut } as const]),
    ...foreignPings.map((name) => ({ kind: 'foreignPing', name }) as const),
    ...(await fileRemarks(params)),
    ...(await targetRemarks(planned, { params: params[0], accounts })),
    ...missing.flat().map((omission) => ({ kind: 'without', omission, strict }) as const),
  ];
}

/** The parts of each message of a step that are not available now. */
export async function missingParts({ planned, outcome }: PreviewedStep, accounts: PreviewAccounts): Promise<MissingParts> {
  if (outcome.kind !== 'done' || outcome.reads) return [];
  const { step, account } = planned;
  return await Promise.all(outcome.params.map((one) => missingFrom(one, { verb: step.do, account, accounts })));
}

/** The errors of local files in the parameters. */
async function fileRemarks(params: readonly JsonObject[]): Promise<readonly StepRemark[]> {
  const named = params.flatMap(({ files, file }) => (isJsonList(files) ? [...files, file] : [file]));
  const paths = [...new Set(named.flatMap((one) => pathOf(one) ?? []))];
  const remarks = await Promise.all(
    paths.map(async (path): Promise<readonly StepRemark[]> => {
      const error = await findFileError(path);
      return error === undefined ? [] : [{ kind: 'file', path: resolve(path), error }];
    }),
  );
  return remarks.flat();
}

function pathOf(file: Json | undefined): string | undefined {
  if (typeof file === 'string') return /^https?:\/\//iu.test(file) ? undefined : file;
  return isJsonObject(file) && typeof file['path'] === 'string' ? file['path'] : undefined;
}

/** Whether a parameter reads the result of an earlier step. In a preview, that result is an example. */
function namesExample(param: Json | undefined): boolean {
  return typeof param === 'string' && isTemplate(param) && /\bsteps\./u.test(param);
}

/** The problems with the channel and the roles of a step. */
async function targetRemarks(
  { step, account }: PreviewedStep['planned'],
  { params, accounts }: { readonly params: JsonObject | undefined; readonly accounts: PreviewAccounts },
): Promise<readonly StepRemark[]> {
  if (!params || [step.with['channel'], step.with['thread']].some(namesExample)) return [];
  // `missingParts` has the problems with mentions.
  const problems = await accounts.targetProblems(step.do, account, { ...params, mention: [] });
  return problems.map((error) => ({ kind: 'target', error }));
}

/** The parts of a write that are not available now: Fanfare omits them, or a strict step fails. */
async function missingFrom(
  params: JsonObject,
  { verb, account, accounts }: { readonly verb: string; readonly account: string; readonly accounts: PreviewAccounts },
): Promise<readonly Omission[]> {
  const isSample = ({ parameter, index }: Omission): boolean => {
    const list = params[parameter];
    return isJsonList(list) && JSON.stringify(list[index ?? 0] ?? '').includes(SAMPLE_ORIGIN);
  };
  try {
    return (await accounts.missingParts(verb, account, params)).filter((omission) => !isSample(omission));
  } catch (error) {
    // A platform that does not answer has its own remark.
    if (error instanceof PlatformError) return [];
    throw error;
  }
}
