/** `skill-composer dap` in Emacs with dap-mode, as `docs/debugging.md` sets it up. */
import { strict as assert } from 'node:assert';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { documentedBlock, missingReason, runSession } from './session.ts';

const skip = missingReason('emacs', '--batch', '--eval', "(require 'dap-mode)");

const files = {
  'plan-visit.skill.md': `---
name: plan-visit
description: Plans a visit to one building. Use it before a scene is set there.
version: 1.0.0
input_schema: {address: string, guest: string}
output_schema: {building: string, note: string}
level: 2
composes:
  - find-building
  - write-note
execution:
  - step: find-building
  - step: write-note
    condition: $input.guest == "Ada"
    inputs: {building: $find-building.output.building, guest: $input.guest}
samples:
  ada: {parameters: {address: 1 High Street, guest: Ada}}
---

Use the doors as they were counted.
`,
  'find-building.skill.md': `---
name: find-building
description: Finds the building at an address. Use it when only the address is known.
version: 1.0.0
input_schema: {address: string}
output_schema: {building: string}
interrupts: [before_tool_call]
tools: [read_page]
---

Find the building.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Name** the building.
`,
  'write-note.skill.md': `---
name: write-note
description: Writes a note for a guest. Use it after the building is known.
version: 1.0.0
input_schema: {building: string, guest: string}
output_schema: {note: string}
---

Write a note to {{ guest }}.
`,
};

test('dap-mode stops at an interrupt, answers it, stops at a breakpoint, and ends', { skip }, () => {
  const seen = runSession<{ readonly problem?: string; readonly stops: readonly string[] }>({
    commands: '',
    configuration: ['.emacs.d/init.el', documentedBlock('emacs-dap', 'debugging.md')],
    program: 'emacs',
    words: (home) => ['--batch', '-l', join(home, '.emacs.d', 'init.el'), '-l', resolve('test/editors/debug.el')],
    files,
  });
  const asked = 'find-building: Call tools at 7';
  assert.deepEqual(seen, { stops: [asked, asked, 'plan-visit: write-note at 13', 'end'] });
});
