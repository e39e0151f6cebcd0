import { z } from 'zod';
import type { CallOptions, WriteOptions } from '#src/clients/operation/call.ts';
import { read, write } from '#src/clients/operation/operation.ts';
import { eachOf, postText } from '#src/clients/operation/parameters.ts';
import { idOf, postParam, type Choice } from './arguments.ts';
import { contentWarning, draft, draftOf, EMPTY_POST, showsSomething, type DraftOptions } from './draft.ts';
import { FileParam, fileParam, newFileParam, NewFileParam, type FileChoice, type NewFileChoice } from './files.ts';
import { UploadedMedia } from './records/media.ts';
import { Post } from './records/post.ts';

/**
 * Publishes a post.
 *
 * @example
 * const post = await social.createPost('We are live!', { files: [['card.png', 'A card with the schedule']] });
 * await social.createPost('That was it for today.', { replyTo: post });
 * await social.createPost('The killer is …', { warning: 'Spoilers for the finale' });
 */
export const createPost = write('createPost', {
  effect: 'creates',
  publishes: 'post',
  params: z.strictObject(draft).refine(showsSomething, EMPTY_POST),
  returns: Post,
  args: (text: string, options: DraftOptions = {}) => draftOf(text, options),
});

const EditPost = z.strictObject({
  post: postParam,
  text: postText().min(1).describe('The new text.'),
  ...contentWarning,
  files: z.array(FileParam).max(4).optional().describe('The new files; by default, the files stay.'),
});
export interface EditPostOptions extends WriteOptions {
  /** The new warning; by default, the warning stays. A platform without warnings needs it again, because it is part of the text there. */
  readonly warning?: string | undefined;
  /** Whether the files are hidden until a click; by default, that stays. */
  readonly sensitive?: boolean | undefined;
  /** The new files; by default, the files stay. */
  readonly files?: readonly FileChoice[] | undefined;
}

/**
 * Edits a post of the signed-in user. The previous version stays in its history.
 *
 * @example
 * await social.editPost(post, 'We are live, with sound!');
 */
export const editPost = write('editPost', {
  effect: 'sets',
  publishes: 'post',
  edits: 'post',
  params: EditPost,
  returns: Post,
  args: (post: Choice<Post>, text: string, { files, ...options }: EditPostOptions = {}) => ({
    post: idOf(post, 'post'),
    text,
    files: eachOf(files, fileParam),
    ...options,
  }),
});

/**
 * Deletes a post of the signed-in user. The result is true even if the post no longer exists. A step that deletes the post of an earlier
 * step with `fit: thread` deletes all parts of the thread, the last one first.
 *
 * @example
 * await social.deletePost(post);
 */
export const deletePost = write('deletePost', {
  effect: 'sets',
  removes: 'post',
  params: z.strictObject({ post: postParam }),
  returns: z.boolean(),
  args: (post: Choice<Post>, options: WriteOptions = {}) => ({ post: idOf(post, 'post'), ...options }),
});

/**
 * One post by its id or its address.
 *
 * @example
 * const post = await social.postDetail('https://social.example/posts/1');
 */
export const postDetail = read('postDetail', {
  watch: 'one',
  params: z.strictObject({ identifier: postParam }),
  returns: Post,
  args: (identifier: Choice<Post>, options: CallOptions = {}) => ({ identifier: idOf(identifier, 'identifier'), ...options }),
});

const UploadMedia = z.strictObject({
  file: NewFileParam.describe('A path, an address, or { base64, name }.'),
  altText: z.string().optional().describe('The alternative text.'),
});
export interface UploadMediaOptions extends Omit<z.input<typeof UploadMedia>, 'file'>, WriteOptions {}

/**
 * Uploads a file for posts and messages.
 *
 * @example
 * const card = await social.uploadMedia('card.png', { altText: 'A card with the schedule' });
 * await social.createPost('The week ahead', { files: [card] });
 */
export const uploadMedia = write('uploadMedia', {
  effect: 'creates',
  params: UploadMedia,
  returns: UploadedMedia,
  args: (file: NewFileChoice, options: UploadMediaOptions = {}) => ({ file: newFileParam(file), ...options }),
});
