import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Declared } from '#src/operation/declared.ts';
import { isJsonList, type JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Element } from './element.ts';
import { issuesOf } from './check/issues.ts';
import { pathText } from './document/report.ts';
import { ExpressionError } from './expression/complaints/expression-error.ts';
import { ask, conditionSource } from './expression/condition.ts';
import type { Inputs } from './expression/expression.ts';
import { expressionsOf, type Place } from './expression/expressions.ts';
import { toJson } from './expression/language/results.ts';
import { elementsOf } from './rendering/elements.ts';
import { failedLookUp, type ReadingOptions } from './rendering/failed-look-up.ts';
import { ForeignFile } from './rendering/escape-for.ts';
import { fillParameters } from './rendering/fill-parameters.ts';
import { fitting, TooLong } from './rendering/fit-text.ts';
import { inputsOf, type InputsOptions } from './rendering/inputs.ts';
import { threadedText, toThread } from './rendering/thread.ts';
import type { Section } from './firing.ts';
import type { StepReason } from './reasons/step-reason.ts';
import { shapeOf } from './shape/shape.ts';

/** A step is done for no more elements than that. */
const MOST_ELEMENTS = 100;

export interface RenderOptions extends InputsOptions {
  readonly section: Section;
  /** How long a post of the account may be. */
  readonly textLimit?: TextLimit | undefined;
  readonly catalogue: Catalogue;
}

/**
 * What a step says:
 * - `params`: its parameters;
 * - `each`: it is done for each of these, one after the other;
 * - `thread`: it is done once for each of these parameters, each in reply to the record of the one before;
 * - `skip`: why there is nothing to do;
 * - `failure`: why it cannot be said.
 */
export type Rendered =
  | { readonly params: JsonObject }
  | { readonly each: readonly Element[] }
  | { readonly thread: readonly JsonObject[] }
  | { readonly skip: StepReason }
  | { readonly failure: string };

/** Works out what a step says: of one that is done for each of a list, first the list, and then each element by itself. */
export function renderStep(options: RenderOptions): Rendered {
  const { step, names, section, element, catalogue } = options;
  const declared = catalogue.get(step.do);
  if (!declared) return { failure: `there is no operation ${step.do}` };
  const kind = section === 'quiet' ? 'quiet' : 'step';
  const inputs = inputsOf(options);
  try {
    const place: Place = { kind, names, forEach: step.forEach };
    if (step.forEach !== undefined && !element) {
      return gap({ ...options, place }) ?? listOf(step.forEach, { inputs, place: { kind, names }, catalogue });
    }
    const asking: Asking = { inputs, place, catalogue };
    return asked(step.if, asking) ?? gap({ ...options, place }) ?? say(declared, options, asking);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof TooLong || error instanceof ForeignFile)
      return { failure: `${step.do}: ${error.message}` };
    throw error;
  }
}

interface Asking {
  readonly inputs: Inputs;
  readonly place: Place;
  readonly catalogue: Catalogue;
}

function gap(options: ReadingOptions): Rendered | undefined {
  const reason = failedLookUp(options);
  return reason && { skip: reason };
}

function listOf(forEach: string, { inputs, place, catalogue }: Asking): Rendered {
  const { source } = conditionSource(forEach);
  const list = toJson(expressionsOf(catalogue).compile(source, place).run(inputs));
  if (!isJsonList(list)) return { failure: `forEach: ${source} is no list` };
  if (list.length > MOST_ELEMENTS)
    return { failure: `forEach: ${source} has ${list.length} elements, and a step is done for at most ${MOST_ELEMENTS}` };
  return list.length === 0 ? { skip: { kind: 'emptyList', source } } : { each: elementsOf(list) };
}

function asked(condition: string | undefined, asking: Asking): Rendered | undefined {
  if (condition === undefined) return undefined;
  const answer = ask(condition, asking.inputs, asking);
  if ('error' in answer) return { failure: `if: ${condition} cannot be worked out: ${answer.error}` };
  return answer.holds ? undefined : { skip: { kind: 'stepIf', because: answer.because } };
}

function say({ params }: Declared, { step, textLimit }: RenderOptions, asking: Asking): Rendered {
  const shape = shapeOf(params);
  const threaded = step.fit === 'thread' ? threadedText(shape) : undefined;
  const fit = fitting({ fit: step.fit, textLimit, threaded: threaded?.shape });
  const filled = fillParameters(step.with, shape, { ...asking, fit });
  if ('empty' in filled) return { skip: { kind: 'emptyParameter', ...filled.empty } };
  const posts = threaded ? toThread(filled.params, threaded, textLimit) : [filled.params];
  if ('failure' in posts) return { failure: `${step.do}: ${posts.failure}` };
  for (const post of posts) {
    const [issue] = issuesOf(params, post);
    if (!issue) continue;
    // All that it could have said came out empty.
    const isEmpty = issue.path.length === 0 && Object.keys(post).length < Object.keys(step.with).length;
    return isEmpty
      ? { skip: { kind: 'emptySaying', issue: issue.message } }
      : { failure: `${step.do}: ${pathText(issue.path)}: ${issue.message}` };
  }
  const [only = filled.params] = posts;
  return posts.length > 1 ? { thread: posts } : { params: only };
}
