/** The user's paths and name, which no report contains. */
import { homedir, userInfo } from 'node:os';

/** Replaces the paths of the user's home, and the user's name. */
export function withoutUser(text: string): string {
  const { username } = userInfo();
  const withoutHome = text.replaceAll(homedir(), '~');
  // A short name, or one that systems share, is part of other words.
  if (username.length < 3 || username === 'root') return withoutHome;
  return withoutHome.replace(
    new RegExp(`(?<![\\w-])${username.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g'),
    '{user}',
  );
}
