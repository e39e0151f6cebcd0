import { parseSync } from 'oxc-parser';

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };
const ARITHMETIC = { '+': '-', '-': '+', '*': '/', '/': '*' };
const LOGICAL = { '&&': '||', '||': '&&', '??': '&&' };
const METHODS = { some: 'every', every: 'some', min: 'max', max: 'min', find: 'findLast', findLast: 'find', toSorted: 'slice' };

/**
 * Lists the mutants of a source text. Each replaces `text.slice(start, end)` by `replacement`.
 *
 * Types, strings, imports and log lines stay: they change no decision.
 */
export function mutantsOf(file, text) {
  const mutants = [];
  const add = (node, operator, replacement) => mutants.push({ file, operator, start: node.start, end: node.end, replacement });
  const source = (node) => text.slice(node.start, node.end);
  const between = (left, right, from, to, operator) => {
    const start = text.indexOf(from, left.end);
    if (start >= 0 && start < right.start) add({ start, end: start + from.length }, operator, to);
  };

  const rules = {
    BinaryExpression({ left, right, operator }) {
      if (operator in COMPARISONS) between(left, right, operator, COMPARISONS[operator], 'comparison');
      const isText = [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string');
      if (operator in ARITHMETIC && !isText) between(left, right, operator, ARITHMETIC[operator], 'arithmetic');
    },
    LogicalExpression({ left, right, operator }) {
      between(left, right, operator, LOGICAL[operator], 'logic');
    },
    UnaryExpression(node) {
      if (node.operator === '!') add(node, 'negation', source(node.argument));
    },
    IfStatement({ test, alternate, consequent }) {
      add(test, 'condition', `!(${source(test)})`);
      if (alternate === null && consequent.type === 'BlockStatement') add(consequent, 'block', '{}');
    },
    ConditionalExpression({ test }) {
      add(test, 'condition', `!(${source(test)})`);
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, 'boolean', String(!node.value));
      if (typeof node.value === 'number') add(node, 'number', node.value >= 1000 ? `(${node.raw} * 2)` : `(${node.raw} + 1)`);
    },
    MemberExpression({ property, computed }) {
      if (!computed && property.name in METHODS) add(property, 'method', METHODS[property.name]);
    },
    ExpressionStatement(node) {
      const isLog = /^(?:this\.)?#?log\b/u.test(source(node));
      if (['CallExpression', 'AwaitExpression', 'AssignmentExpression'].includes(node.expression.type) && !isLog)
        add(node, 'statement', ';');
    },
  };

  function walk(node) {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null || typeof node.type !== 'string') return;
    if (/^(?:Import|ExportAll|TSType|TSInterface|TSEnum)/u.test(node.type)) return;
    rules[node.type]?.(node);
    for (const [key, child] of Object.entries(node))
      if (!['typeAnnotation', 'typeArguments', 'returnType', 'typeParameters'].includes(key)) walk(child);
  }
  walk(parseSync(file, text).program);
  return mutants;
}
