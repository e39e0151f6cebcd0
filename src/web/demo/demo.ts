import type { Context } from 'hono';
import { actorOf } from '#src/web/actor.ts';
import { answerNotFound } from '#src/web/answers.ts';
import { languageOf } from '#src/web/reader-language.ts';
import { signOutForm } from '#src/web/page/sign-out-form.ts';
import { withSandboxPictures } from '#src/web/sandbox-pictures.ts';
import { demoDocument, PARTS, type Parts } from './demo-document.ts';
import { partsOf, type PartsOptions } from './load-parts.ts';

export interface DemoOptions extends PartsOptions {
  readonly sandboxOrigin: string;
}

/** Answers with the demonstration, and with each of its parts. */
export interface Demo {
  page(c: Context): Promise<Response>;
  /** The part that the path names. */
  part(c: Context): Promise<Response>;
}

export function createDemo({ sandboxOrigin, ...options }: DemoOptions): Demo {
  const made = partsOf(options);
  const parts: Parts = {
    live: (language) => withSandboxPictures(made.live(language), sandboxOrigin),
    posts: (language) => withSandboxPictures(made.posts(language), sandboxOrigin),
    messages: (language) => withSandboxPictures(made.messages(language), sandboxOrigin),
  };
  return {
    async page(c) {
      const formToken = c.get('formToken');
      const person = formToken === undefined ? undefined : signOutForm(actorOf(c).name, formToken, languageOf(c));
      return c.html(await demoDocument({ parts, language: languageOf(c), clock: options.clock, person }));
    },
    async part(c) {
      const name = PARTS.find((one) => one === c.req.param('part'));
      return name === undefined ? answerNotFound(c) : c.html(await parts[name](languageOf(c)));
    },
  };
}
