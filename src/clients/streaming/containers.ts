import { Container } from '#src/clients/paging/container.ts';
import type { Clip, Follower, Game, ScheduledStream, Stream, User, Video } from './records.ts';

/** The most watched streams of a platform. */
export class TopStreams extends Container<Stream> {}
/** The most watched games of a platform. */
export class TopGames extends Container<Game> {}
/** The streams of one game. */
export class GameStreams extends Container<Stream> {}
/** The streams of chosen channels, games or languages. */
export class Streams extends Container<Stream> {}
/** The videos of one user. */
export class UserVideos extends Container<Video> {}
/** The next streams in the schedule of a channel. */
export class Schedule extends Container<ScheduledStream> {}
/** The members of a team. */
export class TeamMembers extends Container<User> {}
/** The followers of the signed-in channel. */
export class Followers extends Container<Follower> {}
/** The clips from the streams of one user. */
export class UserClips extends Container<Clip> {}
/** The clips of one game. */
export class GameClips extends Container<Clip> {}
/** The videos of one game. */
export class GameVideos extends Container<Video> {}
/** The results of a search: streams, users, games or videos, by its filter. */
export class Search extends Container<Stream | User | Game | Video> {}
