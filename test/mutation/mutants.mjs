import { parseSync } from 'oxc-parser';

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };
const ARITHMETIC = { '+': '-', '-': '+', '*': '/', '/': '*' };
const LOGICAL = { '&&': '||', '||': '&&', '??': '&&' };
const METHODS = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  find: 'findLast',
  findLast: 'find',
  toSorted: 'slice',
  toLowerCase: 'toString',
  trim: 'toString',
};
/** Operators of SQL, in templates of `sql` and as arguments of the query builder. */
const SQL = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '<>', '!=': '=', '<>': '=', '+': '-', '-': '+' };
const SQL_WORDS = {
  and: 'or',
  or: 'and',
  asc: 'desc',
  desc: 'asc',
  min: 'max',
  max: 'min',
  'not exists': 'exists',
  'is not': 'is',
  is: 'is not',
};
const SQL_PARTS = / (?:<=|>=|<>|!=|[<>=+-]) |\b(?:and|or|asc|desc|not exists|is not|is)\b|\b(?:min|max)(?=\()/gu;

/**
 * Lists the mutants of a source text. Each replaces the node `text.slice(start, end)`: `switched` makes the text that has both, from the
 * name of the mutant and the node's own text.
 *
 * Types, texts, imports and log lines stay: they change no decision.
 */
export function mutantsOf(file, text) {
  const mutants = [];
  const source = ({ start, end }) => text.slice(start, end);
  const asExpression = (replacement) => (isOn, own) => `(${isOn} ? ${replacement} : ${own})`;
  const asStatement = (isOn, own) => `{ if (!(${isOn})) ${own} }`;
  const add = ({ start, end }, operator, replacement, switched = asExpression(replacement)) =>
    mutants.push({ file, operator, start, end, replacement, switched });
  const withOperator = ({ left, right }, operator) => `(${source(left)}) ${operator} (${source(right)})`;
  /** The negations of `===`, `!==` and `!` are mutants of these operators. */
  const addNegated = (test) => {
    if (!['===', '!==', '!'].includes(test.operator)) add(test, 'condition', `!(${source(test)})`);
  };

  const tagged = new Set();
  const addSql = (node, parts) => {
    for (const part of parts)
      for (const { 0: found, index } of source(part).matchAll(SQL_PARTS)) {
        const at = part.start + index;
        const replacement = found.startsWith(' ') ? ` ${SQL[found.trim()]} ` : SQL_WORDS[found];
        const changed = text.slice(node.start, at) + replacement + text.slice(at + found.length, node.end);
        add(node, `SQL: ${found.trim()} → ${replacement.trim()}`, changed);
      }
  };

  const rules = {
    BinaryExpression(node) {
      const { left, right, operator } = node;
      if (operator in COMPARISONS) add(node, 'comparison', withOperator(node, COMPARISONS[operator]));
      const isText = [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string');
      if (operator in ARITHMETIC && !isText) add(node, 'arithmetic', withOperator(node, ARITHMETIC[operator]));
    },
    LogicalExpression(node) {
      add(node, 'logic', withOperator(node, LOGICAL[node.operator]));
    },
    UnaryExpression(node) {
      if (node.operator === '!') add(node, 'negation', `(${source(node.argument)})`);
    },
    IfStatement({ test, alternate, consequent }) {
      addNegated(test);
      if (alternate === null && consequent.type === 'BlockStatement') add(consequent, 'block', '{}', asStatement);
    },
    ConditionalExpression({ test }) {
      addNegated(test);
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, 'boolean', String(!node.value));
      if (typeof node.value === 'number') add(node, 'number', node.value >= 1000 ? `(${node.raw} * 2)` : `(${node.raw} + 1)`);
    },
    MemberExpression({ property, computed }) {
      if (computed || !(property.name in METHODS)) return;
      const replacement = METHODS[property.name];
      const dot = text[property.start - 2] === '?' ? property.start : property.start - 1;
      add({ start: dot, end: property.end }, 'method', replacement, (isOn) => `[${isOn} ? '${replacement}' : '${property.name}']`);
    },
    CallExpression({ arguments: list }) {
      for (const node of list)
        if (node.type === 'Literal' && node.value in { ...SQL, asc: 0, desc: 0 })
          add(node, 'SQL', `'${SQL[node.value] ?? SQL_WORDS[node.value]}'`);
    },
    TaggedTemplateExpression(node) {
      tagged.add(node.quasi);
      if (/^sql\b/u.test(source(node))) addSql(node, node.quasi.quasis);
    },
    TemplateLiteral(node) {
      if (!tagged.has(node) && /^`\s*(?:select|insert|update|delete|with)\s/u.test(source(node))) addSql(node, node.quasis);
    },
    ExpressionStatement(node) {
      const isFixed = /^(?:this\.)?#?log\b|^super\(/u.test(source(node));
      if (['CallExpression', 'AwaitExpression', 'AssignmentExpression'].includes(node.expression.type) && !isFixed)
        add(node, 'statement', '', asStatement);
    },
  };

  function walk(node) {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null || typeof node.type !== 'string') return;
    if (/^(?:Import|ExportAll|TSType|TSInterface|TSEnum)/u.test(node.type)) return;
    rules[node.type]?.(node);
    for (const [key, child] of Object.entries(node)) {
      const isName = key === 'key' && !node.computed;
      if (!isName && !['typeAnnotation', 'typeArguments', 'returnType', 'typeParameters'].includes(key)) walk(child);
    }
  }
  walk(parseSync(file, text).program);
  return mutants;
}

/** The source text with all these mutants. Only the one whose number is `globalThis.mutant(number)` is active. */
export function withMutants(text, mutants) {
  // An outer node comes after the nodes in it, so each change is in a text of known length.
  const sorted = mutants.toSorted((a, b) => a.end - a.start - (b.end - b.start));
  let edits = [];
  for (const { start, end, number, switched } of sorted) {
    const inner = edits.filter((edit) => edit.start >= start && edit.end <= end);
    edits = edits.filter((edit) => !inner.includes(edit));
    edits.push({ start, end, text: switched(`globalThis.mutant?.(${number})`, applied(text, start, end, inner)) });
  }
  return applied(text, 0, text.length, edits);
}

function applied(text, start, end, edits) {
  let result = '';
  let from = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from, end);
}
