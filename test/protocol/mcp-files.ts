/** The initial workspace of the authoring server's tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, skill } from './cli.ts';

export const OUTLINE = `---
# Who asks for this: the night desk.
name: outline-scene
description: Outlines a scene beat by beat. Use it before drafting.
version: 1.2.0
tags: [scenes]
input_schema:
  place: string # where it happens
output_schema: {beats: "string[]"}
tools: [read_page]
samples:
  gate: {request: Outline the gate., parameters: {place: the gate}}
---

# Outline a scene

Outline the scene in five beats.

## Approach

1. **Read**: Read the page with #tool:read_page.
2. **Write**: Write the beats.

## Example: the gate

### Input

\`\`\`yaml
place: the gate
\`\`\`

### Output

\`\`\`yaml
beats: [They wait.]
\`\`\`
`;

export const FILES = {
  'skills.config.yaml': `${CATALOG}roles: {reader: []}\nprofiles: [{name: guest, role: reader}]\n`,
  'skills/outline-scene.skill.md': OUTLINE,
  'skills/write-scene.skill.md': skill('write-scene', 'level: 2', 'output_schema: {}', 'composes: [outline-scene]'),
};

export const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

export const READERS = ['list_skills', 'get_skill', 'check_skill', 'compose_skill', 'match_skill', 'test_skill'];
export const WRITERS = [
  ...['create_skill', 'update_skill', 'add_artifact', 'update_artifact', 'remove_artifact'],
  ...['delete_skill', 'apply_fix'],
];
