/** The schemas in `server/schemas`. A test writes and holds them: `UPDATE_EXPECT=1 npm run test:core -- --filter schemas`. */
import type { PublishedSchema } from './json-schema.ts';
import { lockKeys } from './lock-keys.ts';
import { packageKeys } from './package-keys.ts';
import { recordKeys } from './record-keys.ts';

export const publishedSchemas: readonly PublishedSchema[] = [
  {
    file: 'record.schema.json',
    title: 'Record of a skill',
    description: 'A skill as data, with what is needed to write the same bytes again; `convert --to record` writes it.',
    keys: recordKeys,
    isClosed: true,
  },
  {
    file: 'skills-lock.schema.json',
    title: 'Lock file of installed skills',
    description: '`skills.lock.json` at the root of a workspace: which skills are imported, and what was installed.',
    keys: lockKeys,
    isClosed: true,
  },
  {
    file: 'package.schema.json',
    title: 'Legacy package of a skill',
    description: '`*.skill.json`, the older form of a skill with several artifacts.',
    keys: packageKeys,
    isClosed: false,
  },
];
