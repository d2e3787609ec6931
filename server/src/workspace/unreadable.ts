/** The reasons why a file cannot be read, and how to fix them (docs/format.md, section 1). */

export type Unreadable =
  | 'dangling'
  | 'loop'
  | 'outside'
  | 'folder'
  | 'special'
  | 'too-large'
  | 'not-utf8'
  | 'denied'
  | 'name'
  | 'gone'
  | 'failed';

/** Returns why a file beside a skill cannot be read. Such a file is read only if it is not a link. */
export const reasonBeside = (reason: Unreadable): string =>
  reason === 'outside' ? 'it is a symbolic link, which is not followed here' : UNREADABLE[reason].reason;

interface Words {
  /** Completes "cannot be read: …". */
  readonly reason: string;
  readonly advice: string;
}

export const UNREADABLE: Readonly<Record<Unreadable, Words>> = {
  dangling: { reason: 'it is a link to a file that does not exist', advice: 'Correct the link, or remove it.' },
  loop: { reason: 'it is a link that leads back to itself', advice: 'Correct the link, or remove it.' },
  outside: {
    reason: 'it is a link to a file outside the workspace',
    advice: 'Copy the file into the workspace, or open a folder that contains both.',
  },
  folder: { reason: 'it is a folder', advice: 'Rename the folder.' },
  special: { reason: 'it is not a regular file', advice: 'Replace it with a text file, or remove it.' },
  'too-large': {
    reason: 'it is larger than 10 MB',
    advice: 'Move parts of it into other files, and link to them.',
  },
  'not-utf8': { reason: 'it is not valid UTF-8', advice: 'Save it as UTF-8.' },
  denied: { reason: 'permission denied', advice: 'Change its permissions.' },
  name: { reason: 'its name is not valid UTF-8', advice: 'Rename it.' },
  gone: { reason: 'it was deleted in the meantime', advice: 'Check again.' },
  failed: { reason: 'the system reports an error', advice: 'Check whether other programs can read it.' },
};
