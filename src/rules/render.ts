import { isCollecting } from './collecting.ts';
import { editedParameter, type Catalogue, type Declared } from '#src/clients/operation/declared.ts';
import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { limitOfReply, type TextLimit } from '#src/clients/operation/text/limit.ts';
import { causesOf, type CauseOptions } from '#src/rules/audience/causes.ts';
import { readersKey, type Origin } from '#src/rules/audience/origin.ts';
import { composesAddress, wideningOf, type ReplyFacts } from '#src/rules/audience/widening.ts';
import type { Element } from './element.ts';
import { issuesOf } from '#src/rules/check/schema-issues.ts';
import { formatPath } from '#src/rules/document/report.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { evaluateCondition, conditionSource } from '#src/rules/expression/condition.ts';
import type { Inputs } from '#src/rules/expression/expression.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { toJson } from '#src/rules/expression/language/results.ts';
import { elementsOf, inputsOf, type EditedRecord, type InputsOptions } from '#src/rules/rendering/inputs.ts';
import { failedLookup, type ReadingOptions } from '#src/rules/rendering/failed-reads.ts';
import { UntrustedPath, fillParameters } from '#src/rules/rendering/fill-parameters.ts';
import { fitting, TooLong, threadedText, toThread, type FitText } from '#src/rules/rendering/fit-text.ts';
import { withFittedLayout } from '#src/rules/rendering/fit-layout.ts';
import { besidePings, pingRoom } from '#src/rules/rendering/ping-room.ts';
import { defaultsFor, filledWarning, fittingBehind, keptWarning, limitBehind, undescribedFile } from '#src/rules/rendering/post-parts.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { Section } from './firing.ts';
import { withoutText, withoutTexts } from '#src/rules/reasons/falsehood.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { isNamed } from '#src/rules/results.ts';
import { shapeAt, shapeOf, textOf } from '#src/rules/shape/shape.ts';

/** The maximum number of elements of `forEach`. */
const MOST_ELEMENTS = 100;
/** The part of the name of a conversation that is beside the name of its readers. */
const LONGEST_CONVERSATION = 150;

export interface RenderOptions extends InputsOptions {
  readonly section: Section;
  /** The maximum length of a post of the account. */
  readonly textLimit?: TextLimit | undefined;
  /** The defaults of posts of the account, for posts that set nothing else. */
  readonly postDefaults?: PostDefaults | undefined;
  readonly catalogue: Catalogue;
  /** The record that the step edits; absent: it edits none, or no step is known that made the record. */
  readonly edited?: EditedRecord | undefined;
  /** The replies of the account; absent: unknown. */
  readonly replies?: ReplyFacts | undefined;
  /** See `FillOptions`. */
  readonly onForeignPing?: ((name: string) => void) | undefined;
  /** Receives why the content warning is cut. */
  readonly onCutWarning?: ((detail: string) => void) | undefined;
}

interface Origins {
  /** The restricted records that the step is made from. */
  readonly origins?: readonly Origin[] | undefined;
}

/**
 * The result of rendering a step:
 * - `params`: the parameters of the operation;
 * - `each`: the elements of `forEach`, in order;
 * - `thread`: the parameters of each post of a thread; each post replies to the one before;
 * - `skip`: the reason why the step is skipped;
 * - `failure`: why the step cannot be rendered.
 */
export type Rendered =
  | ({ readonly params: JsonObject } & Origins)
  | { readonly each: readonly Element[] }
  | ({ readonly thread: readonly JsonObject[] } & Origins)
  | { readonly skip: StepReason }
  | { readonly failure: string };

/** Finds a record of an account that a step edits by its id; undefined: no step made or changed it. */
export type FindEdited = (id: string) => Promise<EditedRecord | undefined>;

/** The options with the record that the step edits. */
export async function withEdited<O extends RenderOptions>(options: O, findEdited: FindEdited): Promise<O> {
  const name = nameIn(editedParameter(options.catalogue.get(options.step.do)), options);
  if (name === undefined) return options;
  const { element, scope } = options;
  const read = [...ownRecords(options), element?.it, scope.item].filter(isJsonObject).find((record) => isNamed(record, name));
  const id = read?.['id'];
  return { ...options, edited: (await findEdited(typeof id === 'string' ? id : name)) ?? { result: read } };
}

/** The records of earlier steps through the same account. */
function ownRecords({ results, account }: RenderOptions): readonly JsonObject[] {
  const own = Object.values(results).flatMap((its) => its.filter((one) => one.account === account));
  return own.map(({ result }) => result).filter(isJsonObject);
}

/** The id or the address in a parameter of a step. */
function nameIn(parameter: string | undefined, options: RenderOptions): string | undefined {
  const { step, names, section, element, catalogue } = options;
  const declared = catalogue.get(step.do);
  const written = parameter === undefined ? undefined : step.with[parameter];
  if (!declared || parameter === undefined || written === undefined || (step.forEach !== undefined && !element)) return undefined;
  const site: ExpressionSite = { kind: isCollecting(section) ? 'quiet' : 'step', names, forEach: step.forEach };
  try {
    const filling = { inputs: inputsOf(options), site, catalogue, fit: (text: string) => text };
    const filled = fillParameters({ [parameter]: written }, shapeOf(declared.params), filling);
    const name = 'params' in filled ? filled.params[parameter] : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch (error) {
    // The rendering of the step reports it.
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** Renders a step. A step with `forEach` gives its list first; then each element is rendered by a call with `element`. */
export function renderStep(options: RenderOptions): Rendered {
  const { step, names, section, element, catalogue } = options;
  const declared = catalogue.get(step.do);
  if (!declared) return { failure: `unknown operation ${step.do}` };
  const kind = isCollecting(section) ? 'quiet' : 'step';
  const inputs = inputsOf(options);
  const site: ExpressionSite = { kind, names, forEach: step.forEach };
  try {
    if (step.forEach !== undefined && !element) {
      const list = failedRead({ ...options, site }) ?? listOf(step.forEach, { inputs, site: { kind, names }, catalogue });
      return withoutPrivateTexts(list, { ...options, site });
    }
    const context: ConditionContext = { inputs, site, catalogue };
    const rendered =
      conditionOutcome(step.if, context) ??
      failedRead({ ...options, site }) ??
      withOrigins(renderParameters(declared, options, context), declared, { ...options, site, inputs });
    return withoutPrivateTexts(rendered, { ...options, site });
  } catch (error) {
    if (!(error instanceof ExpressionError || error instanceof TooLong || error instanceof UntrustedPath)) throw error;
    return withoutPrivateTexts({ failure: `${step.do}: ${error.message}` }, { ...options, site });
  }
}

/** The reason or the error of a step without texts of restricted records: people who cannot read the records can read both. */
function withoutPrivateTexts(rendered: Rendered, options: CauseOptions): Rendered {
  if ('failure' in rendered) return isPrivate(options) ? { failure: withoutText(rendered.failure) } : rendered;
  if (!('skip' in rendered) || rendered.skip.kind !== 'stepIf' || !isPrivate(options)) return rendered;
  return { skip: { ...rendered.skip, condition: withoutTexts(rendered.skip.condition) } };
}

/** Whether a step is made from restricted records. The records of a step with an invalid expression are unknown. */
function isPrivate(options: CauseOptions): boolean {
  try {
    return causesOf(options).length > 0;
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

/** A rendered step with the restricted records that it is made from, or the reason to skip it: more people could read it than those. */
function withOrigins(
  rendered: Rendered,
  declared: Declared,
  options: RenderOptions & { readonly site: ExpressionSite; readonly inputs: Inputs },
): Rendered {
  const params = 'params' in rendered ? rendered.params : 'thread' in rendered ? rendered.thread[0] : undefined;
  const origins = params ? causesOf(options) : [];
  const [first] = origins;
  if (!params || !first) return rendered;
  if (options.step.audience === undefined) {
    const isRead = composesAddress(params, { written: options.step.with, inputs: options.inputs });
    const widened = isRead ? first : declared.kind === 'write' ? wideningOf(declared, { ...options, origins, params }) : undefined;
    if (widened) return { skip: { kind: 'widerAudience', restriction: widened.restriction } };
  }
  return 'params' in rendered && options.step.do === 'assistant.ask'
    ? { params: inPrivateConversation(rendered.params, origins), origins }
    : { ...rendered, origins };
}

/** Restricted records are in a separate conversation, so that no answer to other people repeats them. */
function inPrivateConversation(params: JsonObject, origins: readonly Origin[]): JsonObject {
  const { conversation } = params;
  if (typeof conversation !== 'string') return params;
  return { ...params, conversation: `${conversation.slice(0, LONGEST_CONVERSATION)}/${readersKey(origins)}` };
}

interface ConditionContext {
  readonly inputs: Inputs;
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
}

function failedRead(options: ReadingOptions): Rendered | undefined {
  const reason = failedLookup(options);
  return reason && { skip: reason };
}

function listOf(forEach: string, { inputs, site, catalogue }: ConditionContext): Rendered {
  const { source } = conditionSource(forEach);
  const list = toJson(expressionsOf(catalogue).compile(source, site).run(inputs));
  if (!isJsonList(list)) return { failure: `forEach: ${source} is not a list` };
  if (list.length > MOST_ELEMENTS) return { failure: `forEach: ${source} has ${list.length} elements, and the limit is ${MOST_ELEMENTS}` };
  return list.length === 0 ? { skip: { kind: 'emptyList', source } } : { each: elementsOf(list) };
}

function conditionOutcome(condition: string | undefined, context: ConditionContext): Rendered | undefined {
  if (condition === undefined) return undefined;
  const answer = evaluateCondition(condition, context.inputs, context);
  if ('error' in answer) return { failure: `if: ${condition} cannot be evaluated: ${answer.error}` };
  return answer.holds ? undefined : { skip: { kind: 'stepIf', condition: answer.condition } };
}

/**
 * The limit of the step, or of each part of a thread. A reply has less room where the platform needs mentions in front of it, and a part of
 * a thread is a reply to the one before.
 */
function limitFor(options: RenderOptions, thread?: JsonObject): TextLimit | undefined {
  const { step, edited, textLimit } = options;
  if (textLimit?.replyPrefix === undefined) return textLimit;
  const record = isJsonObject(edited?.result) ? edited.result : repliedRecord(options);
  const isReply = step.with['replyTo'] !== undefined || (edited !== undefined && record?.['replyTo'] !== undefined);
  const parts = restrictedText({ visibility: record?.['visibility'], ...thread });
  const repeated = `${isReply ? restrictedText(record) : ''} ${thread ? parts : ''}`;
  return isReply || (textLimit.mentionsIn?.(repeated).length ?? 0) > 0 ? limitOfReply(textLimit, repeated) : textLimit;
}

/** The record of an earlier step that the step replies to. */
function repliedRecord(options: RenderOptions): JsonObject | undefined {
  const name = nameIn('replyTo', options);
  return name === undefined ? undefined : ownRecords(options).find((record) => isNamed(record, name));
}

/** The text of a post that only followers or mentioned people can read; otherwise empty. */
function restrictedText({ visibility, text }: JsonObject = {}): string {
  return (visibility === 'followers' || visibility === 'direct') && typeof text === 'string' ? text : '';
}

function renderParameters(declared: Declared, options: RenderOptions, context: ConditionContext): Rendered {
  const { step, textLimit: most, onForeignPing, onCutWarning } = options;
  const { params } = declared;
  const shape = shapeOf(params);
  const { warning: usual, sensitive, requireDescription } = defaultsFor(declared, options.postDefaults);
  const { warning: written, ...others } = step.with;
  const warning = filledWarning(written, shape, { ...context, textLimit: most, usual, onCutWarning });
  const above = warning ?? keptWarning(options.edited, most);
  const textLimit = limitBehind(above, limitFor(options));
  const threaded = step.fit === 'thread' ? threadedText(shape) : undefined;
  // The text of a message is fitted when its pings are known.
  const kept = options.edited?.mention;
  const place = (others['mention'] ?? kept) === undefined || threaded ? undefined : shapeAt(shape, ['content']);
  const content = place && textOf(place);
  const fitTo = (options: Parameters<typeof fitting>[0]): FitText =>
    fittingBehind(above, fitting({ fit: step.fit, textLimit, ...options }));
  const filled = fillParameters(others, shape, { ...context, fit: fitTo({ whole: threaded?.shape ?? content }), onForeignPing });
  if ('empty' in filled) return { skip: { kind: 'emptyParameter', ...filled.empty } };
  const covering = { ...(warning !== undefined && { warning }), ...(sensitive !== undefined && { sensitive }) };
  const { mention = kept } = filled.params;
  const beside = content && { shape: content, fitBeside: (pings: number): FitText => fitTo({ pings }) };
  const pings = pingRoom(mention);
  const fitted = withFittedLayout(beside ? besidePings(filled.params, mention, beside) : filled.params, { fit: step.fit, pings });
  const whole = { ...covering, ...fitted };
  const posts = threaded ? toThread(whole, threaded, { textLimit: limitBehind(above, limitFor(options, filled.params)), pings }) : [whole];
  if ('failure' in posts) return { failure: `${step.do}: ${posts.failure}` };
  const undescribed = requireDescription ? undescribedFile(whole) : undefined;
  if (undescribed) return { failure: `${step.do}: ${undescribed} has no altText, and the account requires a description of each file` };
  for (const post of posts) {
    const [issue] = issuesOf(params, post);
    if (!issue) continue;
    // All optional parameters rendered empty.
    const isEmpty = issue.path.length === 0 && Object.keys(post).length < Object.keys(step.with).length;
    return isEmpty
      ? { skip: { kind: 'emptyMessage', issue: issue.message } }
      : { failure: `${step.do}: ${formatPath(issue.path)}: ${issue.message}` };
  }
  const [only = whole] = posts;
  return posts.length > 1 ? { thread: posts } : { params: only };
}
