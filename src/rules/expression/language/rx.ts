import type { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import type { CelType, Node } from './tree.ts';

interface Checker {
  check(node: Node, context: unknown): CelType;
  getType(name: string): CelType;
  createError(code: string, message: string, node: Node | undefined): Error;
}

interface Evaluator {
  run(node: Node, context: unknown): unknown;
}

/** Makes `rx(text, "pattern")` known: whether the pattern occurs, in linear time. The pattern is compiled with the expression. */
export function registerRx(environment: Environment): void {
  environment.registerFunction('rx(ast, ast): bool', readRx, { async: false });
}

function readRx({ args: [text, pattern] }: { readonly args: readonly Node[] }) {
  let compiled: RE2JS | undefined;
  return {
    async: false,
    typeCheck(checker: Checker, _macro: unknown, context: unknown): CelType {
      if (!text || checker.check(text, context).name !== 'string') {
        throw checker.createError('rx', 'rx looks for a pattern in text', text);
      }
      if (pattern?.op !== 'value' || typeof pattern.args !== 'string') {
        throw checker.createError('rx', 'the pattern of rx must be written out between quotes', pattern);
      }
      compiled = compile(pattern.args, (message) => checker.createError('rx', message, pattern));
      return checker.getType('bool');
    },
    evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): boolean {
      return text !== undefined && compiled !== undefined && compiled.test(String(evaluator.run(text, context)));
    },
  };
}

function compile(pattern: string, error: (message: string) => Error): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (problem) {
    throw error(problem instanceof Error ? problem.message : 'the pattern of rx cannot be read');
  }
}
