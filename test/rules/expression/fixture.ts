import type { Json } from '#src/clients/operation/json.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { toJson } from '#src/rules/expression/language/results.ts';
import { catalogue, scopeOf } from '../../support/rule-language.ts';

/** A step of a rule that watches streams, after steps that post, send, look up a user and search. */
const site: ExpressionSite = {
  kind: 'step',
  names: {
    watch: 'streaming.getGameStreams',
    steps: {
      post: 'social.createPost',
      card: 'discord.send',
      who: 'social.getUserInfo',
      found: 'social.search',
      gone: 'social.deletePost',
    },
  },
};

/** The value of an expression for the stream of ada. */
export function valueOf(
  source: string,
  inputs: Readonly<Record<string, Json | undefined>> = {},
  at: ExpressionSite = site,
): Json | undefined {
  return toJson(
    expressionsOf(catalogue)
      .compile(source, at)
      .run({ ...scopeOf(), steps: {}, ...inputs }),
  );
}

/** The type of an expression, as the library names it. */
export function typeOf(source: string): string {
  return expressionsOf(catalogue).compile(source, site).type.name;
}

/** The error of an invalid expression: `5: item has no titel (did you mean title?)`. */
export function refusalOf(source: string, at: ExpressionSite = site): string {
  try {
    expressionsOf(catalogue).compile(source, at);
  } catch (error) {
    if (error instanceof ExpressionError) return `${error.at}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
    throw error;
  }
  return 'it is not refused';
}
