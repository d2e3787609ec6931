/** Why a file has no text, and what is to be done about it (docs/format.md, section 1). */

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

interface Words {
  /** Completes "cannot be read: …". */
  readonly reason: string;
  readonly advice: string;
}

export const UNREADABLE: Readonly<Record<Unreadable, Words>> = {
  dangling: { reason: 'it is a link to a file that does not exist', advice: 'Correct the link, or remove it.' },
  loop: { reason: 'it is a link that leads in a circle', advice: 'Correct the link, or remove it.' },
  outside: {
    reason: 'it is a link to a file outside the workspace',
    advice: 'Copy the file here, or open the folder that holds both.',
  },
  folder: { reason: 'it is a folder', advice: 'Give the folder another name.' },
  special: { reason: 'it is no regular file', advice: 'Put a text file in its place, or remove it.' },
  'too-large': {
    reason: 'it is larger than 10 MB',
    advice: 'Move what is no instruction into files that the skill links to.',
  },
  'not-utf8': { reason: 'it is not valid UTF-8', advice: 'Save it as UTF-8.' },
  denied: { reason: 'permission denied', advice: 'Correct its permissions.' },
  name: { reason: 'its name is not valid UTF-8', advice: 'Rename it.' },
  gone: { reason: 'it was deleted after it had been found', advice: 'Check again.' },
  failed: { reason: 'the system reports an error', advice: 'Look whether other programs can read it.' },
};
