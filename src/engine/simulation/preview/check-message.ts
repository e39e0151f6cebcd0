import { resolve } from 'node:path';
import { catalogue } from '#src/clients/catalogue.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { withoutParts, type Omission } from '#src/clients/operation/part.ts';
import { SAMPLE_ORIGIN } from '#src/engine/testing/world/sample-record.ts';
import { PlatformError } from '#src/errors.ts';
import { findFileError } from '#src/http/media/file-errors.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { PreviewAccounts } from './preview-accounts.ts';

/** What a message would lack, and what would stop it, as far as reads can tell. */
export interface MessageCheck {
  readonly missing: readonly Omission[];
  /** Whether the message fails without the missing parts: the step is strict, or nothing is left. */
  readonly needsMissing: boolean;
  /** The parameters without the missing parts; if nothing is left, all of them. */
  readonly sent: JsonObject;
  /** The local file of the write that cannot be sent, with the reason. */
  readonly file?: { readonly path: string; readonly error: string } | undefined;
  /** The problems with its channel and its roles. */
  readonly target: readonly string[];
  /** Whether it would fail. */
  readonly fails: boolean;
}

interface CheckOptions {
  readonly accounts: PreviewAccounts;
  /** Ends the search for missing parts. The other parts count as there. */
  readonly signal: AbortSignal;
}

/** Checks a message of a preview with reads. */
export async function checkMessage(planned: PlannedStep, params: JsonObject, { accounts, signal }: CheckOptions): Promise<MessageCheck> {
  const [missing, file, target] = await Promise.all([
    missingFrom(planned, params, { accounts, signal }),
    fileError(params['file']),
    targetProblems(planned, params, accounts),
  ]);
  // Each index counts in the whole list, so the last parts are removed first.
  const left = withoutParts(
    withoutDescriptions(params, missing),
    missing.toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0)),
  );
  const { do: verb, strict = false } = planned.step;
  // A platform that shows a description or a visibility differently has accepted the message.
  const needsAll = strict && missing.some((one) => isJsonList(params[one.parameter]) && !isOptional(one, params));
  const isEmpty = missing.length > 0 && catalogue.get(verb)?.params.safeParse(left).success === false;
  const needsMissing = needsAll || isEmpty;
  return {
    missing,
    needsMissing,
    sent: isEmpty ? params : left,
    file,
    target,
    fails: needsMissing || file !== undefined || target.length > 0,
  };
}

/** The parameters without the descriptions of files that are left out. */
function withoutDescriptions(params: JsonObject, missing: readonly Omission[]): JsonObject {
  const { files } = params;
  const lost = new Set(missing.filter(({ parameter }) => parameter === 'altText').map(({ index }) => index));
  if (lost.size === 0 || !isJsonList(files)) return params;
  const left = files.map((file, index) => {
    if (!lost.has(index) || !isJsonObject(file)) return file;
    const { altText: _, ...others } = file;
    return others;
  });
  return { ...params, files: left };
}

/** Whether the rule accepts that the part is missing. */
function isOptional({ parameter, index }: Omission, params: JsonObject): boolean {
  const part = partAt(params[parameter], index);
  return isJsonObject(part) && part['optional'] === true;
}

function partAt(list: Json | undefined, index = 0): Json | undefined {
  return isJsonList(list) ? list[index] : undefined;
}

async function fileError(file: Json | undefined): Promise<MessageCheck['file']> {
  const path = pathOf(file);
  const error = path === undefined ? undefined : await findFileError(path);
  return path === undefined || error === undefined ? undefined : { path: resolve(path), error };
}

function pathOf(file: Json | undefined): string | undefined {
  if (typeof file === 'string') return /^https?:\/\//iu.test(file) ? undefined : file;
  return isJsonObject(file) && typeof file['path'] === 'string' ? file['path'] : undefined;
}

/** Whether a parameter reads the result of an earlier step. In a preview, that result is an example. */
function namesExample(param: Json | undefined): boolean {
  return typeof param === 'string' && isTemplate(param) && /\bsteps\./u.test(param);
}

async function targetProblems({ step, account }: PlannedStep, params: JsonObject, accounts: PreviewAccounts): Promise<readonly string[]> {
  if ([step.with['channel'], step.with['thread']].some(namesExample)) return [];
  // The missing parts have the problems with mentions.
  return accounts.targetProblems(step.do, account, { ...params, mention: [] });
}

/** The parts of a write that are not available now, without those from example results. */
async function missingFrom(
  { step, account }: PlannedStep,
  params: JsonObject,
  { accounts, signal }: CheckOptions,
): Promise<readonly Omission[]> {
  if (signal.aborted) return [];
  const isSample = ({ parameter, index }: Omission): boolean =>
    JSON.stringify(partAt(params[parameter], index) ?? '').includes(SAMPLE_ORIGIN);
  try {
    return (await accounts.missingParts(step.do, account, params, signal)).filter((omission) => !isSample(omission));
  } catch (error) {
    // A platform that does not answer has its own remark.
    if (error instanceof PlatformError || signal.aborted) return [];
    throw error;
  }
}
