import { ExpressionError } from '../expression-error.ts';
import { DATE_STYLES, DISCORD_TIME_STYLES, hasZone, zoneOfPlace } from '../formats.ts';
import { refusePattern } from '../patterns.ts';
import { isCalendarPart } from './calendar.ts';
import { KeyedElement } from './list-loops.ts';
import { callArguments, calledName, isLoop, nameStart, walk, written, type Node, loopOf } from './tree.ts';

const REFUSED: Readonly<Record<string, string>> = {
  has: 'every field exists: compare text with "", a list with .size() > 0, and a number directly',
  dyn: 'remove dyn: all types are known',
  type: 'remove type: all types are known',
  matches: 'use rx(text, "pattern"), which takes linear time',
  bind: 'write the value where it is used',
};

/** The functions of CEL that rules cannot use. */
export const REFUSED_FUNCTIONS: readonly string[] = Object.keys(REFUSED);

/** The forms of loops. The library checks a call in another form as an unknown function. */
const LOOPS: Readonly<Record<string, string>> = {
  map: 'list.map(x, x.id) or list.map(x, x.id != "", x.id)',
  filter: 'list.filter(x, x.id != "")',
  exists: 'list.exists(x, x.id != "")',
  exists_one: 'list.exists_one(x, x.id != "")',
  all: 'list.all(x, x.id != "")',
  sortBy: 'list.sortBy(x, x.id); a minus before a number reverses the order',
  groupBy: 'list.groupBy(x, x.id)',
};

const MOST_LOOPS = 3;

/** Refuses expressions that run too long, hide a typo, or always fail. */
export function refuse(tree: Node): void {
  walk(tree, (node, loops) => {
    const name = calledName(node);
    const hint = name !== undefined && Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (hint !== undefined)
      throw new ExpressionError(`${name === 'bind' ? 'cel.bind' : name} is not available`, { at: nameStart(node), hint });
    if (node.op === 'rcall' && !node.meta.alternate && name !== undefined && Object.hasOwn(LOOPS, name)) refuseCall(name, node);
    if (name === 'date') refuseDate(node);
    if (name === 'rx') refusePattern(node);
    if (name === 'discordTime') refuseStyle(name, callArguments(node)[1], DISCORD_TIME_STYLES);
    if (name !== undefined && isCalendarPart(name)) callArguments(node).slice(1).forEach(refuseZone);
    if (loops >= MOST_LOOPS && node.meta.alternate && isLoop(node.meta.alternate)) {
      throw new ExpressionError('more than three nested loops', {
        at: node.start,
        hint: 'nest at most three of map, filter, sortBy, groupBy, exists and all',
      });
    }
  });
}

function refuseCall(name: string, call: Node): void {
  const hint = `write ${LOOPS[name]}`;
  throw new ExpressionError(`${name} needs a name for the element and an expression`, { at: nameStart(call), hint });
}

function refuseDate(call: Node): void {
  const [, zone, style] = callArguments(call);
  if (zone) refuseZone(zone);
  refuseStyle('date', style, DATE_STYLES);
}

function refuseStyle(name: string, style: Node | undefined, styles: readonly string[]): void {
  if (!style || (style.op === 'value' && styles.includes(String(style.args)))) return;
  throw new ExpressionError(`unknown ${name} style ${written(style)}`, { at: style.start, hint: `available: ${styles.join(', ')}` });
}

function refuseZone(zone: Node): void {
  if (zone.op !== 'value' || typeof zone.args !== 'string') {
    throw new ExpressionError('a time zone must be fixed text in quotes', { at: zone.start, hint: 'write, for example, "Europe/Paris"' });
  }
  if (!hasZone(zone.args)) {
    const meant = zoneOfPlace(zone.args);
    const hint = meant === undefined ? 'write, for example, "Europe/Paris"' : `did you mean "${meant}"?`;
    throw new ExpressionError(`unknown time zone "${zone.args}"`, { at: zone.start, hint });
  }
}

const MOST_STEPS = 20_000;
/** Characters or elements that count as one step when a loop adds them to a list. */
const UNITS_A_STEP = 100;

/** Counts the steps of loops and stops an expression with too many. */
interface Meter {
  reset(): void;
  /** Throws if the meter stopped the expression. `exists` and others swallow the first error. */
  assertWithin(): void;
}

/** Meters every loop of a checked expression. Call it before the first run. */
export function meterLoops(tree: Node): Meter {
  let steps = 0;

  function assertWithin(): void {
    if (steps > MOST_STEPS) throw new RangeError(`stopped after ${MOST_STEPS} steps: the lists are too long`);
  }

  walk(tree, ({ meta: { alternate } }) => {
    if (!alternate || !isLoop(alternate)) return;
    const { step } = loopOf(alternate);
    const { evaluate } = step.meta;
    step.setMeta('evaluate', (evaluator, node, context) => {
      steps++;
      assertWithin();
      const value = evaluate(evaluator, node, context);
      steps += weightOf(value);
      return value;
    });
  });

  return {
    reset: () => {
      steps = 0;
    },
    assertWithin,
  };
}

/** The weight of the element that a step of `map`, or of the key that a step of `sortBy` adds at the end of its list. */
function weightOf(value: unknown): number {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  const added = last instanceof KeyedElement ? last.key : last;
  return typeof added === 'string' || Array.isArray(added) ? Math.floor(added.length / UNITS_A_STEP) : 0;
}
