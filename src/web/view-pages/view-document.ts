import { raw } from 'hono/html';
import { documentOf } from '../page/document.ts';
import type { Html } from '../page/inline/elements.ts';
import { html } from '../page/inline/html.ts';
import { actionResults, navigationBar } from '../page/navigation-bar.ts';
import type { ShownView } from '../views/view.ts';

interface ViewDocumentOptions {
  readonly title: string;
  /** The HTML of the view. */
  readonly rendered: string;
  readonly shown: ShownView;
  /** What writes of the script send; absent on the loopback. */
  readonly formToken: string | undefined;
  /** The signed-in person, with the buttons that end sessions; absent on the loopback. */
  readonly person: Html | undefined;
}

const SKIP = { en: 'Skip to the content', de: 'Zum Inhalt springen' };

/** The document of a view. Its script hydrates `#view` with the data of `#shown`. */
export function viewDocument({ title, rendered, shown, formToken, person }: ViewDocumentOptions): Html {
  const { language, sandboxOrigin } = shown.reader;
  return documentOf({
    title: `${title} · Fanfare`,
    language,
    head: html`<script type="module" src="/views.${language}.js"></script>`,
    body: html`<body class="view-page" data-form-token="${formToken ?? ''}">
      <p class="skip"><a href="#view">${SKIP[language]}</a></p>
      <header class="top">
        <p class="brand"><img src="/favicon.svg" alt="" width="28" height="28" />Fanfare</p>
        ${navigationBar(shown.path, { language, hasSandbox: sandboxOrigin !== undefined })} ${person ?? ''}
        <p class="connection" id="connection" role="status"></p>
      </header>
      <main id="view" tabindex="-1">${raw(rendered)}</main>
      <script type="application/json" id="shown">
        ${raw(toScriptText(shown))}
      </script>
      ${actionResults(language)}
    </body>`,
  });
}

/** JSON that cannot end its element: a text with `</script>` or `<!--` stays data. */
function toScriptText(value: ShownView): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
