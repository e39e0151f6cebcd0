import { Container } from '#src/paging/container.ts';
import type { Post, User } from './records.ts';

/** The posts of one user. */
export class UserPosts extends Container<Post> {}
/** What a search found: posts, or users where people were asked for. */
export class Search extends Container<Post | User> {}
