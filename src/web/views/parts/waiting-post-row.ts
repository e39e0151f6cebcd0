import type { WaitingPost } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { shortenedText } from '../shortened-text.ts';
import { POSTS_TEXTS } from '../texts/posts.ts';
import { ActionForm } from './action-form.ts';
import { fieldMinute, Instant, presentMinute } from './time.ts';

/** A waiting post with the name of its server. */
export interface ShownPost extends Omit<WaitingPost, 'targets' | 'server'> {
  readonly serverName?: string | undefined;
  readonly accounts: readonly string[];
}

interface PostProps {
  readonly post: ShownPost;
  /** The number of edits of the post when the reader began to edit it; absent: the reader did not begin. */
  readonly begunAt: number | undefined;
  /** Whether the list no longer has the post, which the reader edits. */
  readonly hasLeft: boolean;
  readonly onBegin: () => void;
  readonly onEnd: () => void;
}

/** The API sends a post at once whose new time is over. */
const PAST = new Date(0).toISOString();

/** The longest part of a text that names its post. */
const MOST_CHARACTERS = 60;

/** A waiting post, with the forms that edit, move, send and cancel it. */
export function WaitingPostRow(props: PostProps): VNode {
  const { post } = props;
  const t = useTexts(POSTS_TEXTS);
  const { id, text, warning, at, accounts, by, serverName, isQueued, hasPicture, altText, editedBy } = post;
  const name = useName(post);
  return html`<li>
    <p>
      <strong><${Instant} at=${at} /></strong>
    </p>
    ${warning !== undefined && html`<p class="muted">${t.warning}: <bdi>${warning}</bdi></p>`}
    ${text === '' ? html`<p class="muted">${t.noText}</p>` : html`<p class="text" dir="auto">${text}</p>`}
    <p class="meta">
      <span>${t.to} ${accounts.map((account, index) => html`<span key=${account}>${index > 0 && ', '}<bdi>${account}</bdi></span>`)}</span>
      <span>${t.by} <bdi>${by}</bdi></span>
      ${serverName !== undefined && html`<span>${t.server} <bdi>${serverName}</bdi></span>`} ${isQueued && html`<span>${t.queued}</span>`}
      ${hasPicture && html`<span>${t.picture}${altText !== undefined && html`: <bdi>${altText}</bdi>`}</span>`}
      ${editedBy !== undefined && html`<span>${t.editedBy} <bdi>${editedBy}</bdi></span>`}
    </p>
    <${EditForm} ...${props} />
    <details class="scripted closes">
      <summary>
        ${t.move}<span class="unseen">: <bdi>${name}</bdi></span>
      </summary>
      <${ActionForm} operation="movePost" input=${{ post: id }} done=${t.moved} class="filters plain-form">
        <${TimeField} at=${at} />
        <p class="submit"><button>${t.submitMove}</button></p>
      <//>
    </details>
    <div class="forms">
      <${ActionForm}
        operation="movePost"
        input=${{ post: id, at: PAST }}
        done=${t.sentNow}
        question=${[t.sendQuestion(name, accounts.join(', ')), ...(props.begunAt === undefined ? [] : [t.unsaved])].join(' ')}
      >
        <button>
          ${t.sendNow}<span class="unseen">: <bdi>${name}</bdi></span>
        </button>
      <//>
      <${ActionForm}
        operation="cancelPost"
        input=${{ post: id }}
        done=${t.cancelled}
        failed=${t.tooLate}
        question=${t.cancelQuestion(name, accounts.join(', '))}
      >
        <button>
          ${t.cancel}<span class="unseen">: <bdi>${name}</bdi></span>
        </button>
      <//>
    </div>
  </li>`;
}

/** The beginning of the text of a post. */
function useName({ text }: ShownPost): string {
  const { noText } = useTexts(POSTS_TEXTS);
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line === '' ? noText : shortenedText(line, MOST_CHARACTERS);
}

function EditForm({ post, begunAt, hasLeft, onBegin, onEnd }: PostProps): VNode {
  const t = useTexts(POSTS_TEXTS);
  const { id, text, warning = '', hasPicture, altText = '', edits } = post;
  // A text that a person types replaces the text that this person saw, and no later one.
  const isOvertaken = begunAt !== undefined && begunAt !== edits;
  const obstacle = hasLeft ? t.hasLeft : isOvertaken && t.editedMeanwhile;
  return html`<details class="scripted closes" onInput=${onBegin} onReset=${onEnd}>
    <summary>
      ${t.edit}<span class="unseen">: <bdi>${useName(post)}</bdi></span>
    </summary>
    <${ActionForm}
      operation="editPost"
      input=${{ post: id, text: '', warning: '', ...(hasPicture && { altText: '' }), edits: begunAt ?? edits }}
      done=${t.edited}
      class="filters plain-form"
    >
      <label class="whole"
        >${t.text}
        <textarea name="text" rows="5" dir="auto" maxlength="6000" required=${!hasPicture} defaultValue=${text}></textarea>
      </label>
      <label>${t.warning} <input name="warning" maxlength="200" placeholder=${t.defaultWarning} defaultValue=${warning} /></label>
      ${hasPicture && html`<label>${t.altText} <input name="altText" maxlength="1000" defaultValue=${altText} /></label>`}
      ${obstacle && html`<p class="obstacle whole" role="status">${obstacle}</p>`}
      <p class="submit"><button>${t.save}</button> ${obstacle && html`<button type="reset">${t.discard}</button>`}</p>
    <//>
  </details>`;
}

/** The field for the new time. It is rendered again each second. */
function TimeField({ at }: { readonly at: string }): VNode {
  const t = useTexts(POSTS_TEXTS);
  return html`<label
    >${t.at} <input type="datetime-local" min=${presentMinute()} max="9999-12-31T23:59" name="at" required defaultValue=${fieldMinute(at)}
  /></label>`;
}
