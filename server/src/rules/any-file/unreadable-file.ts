import { span } from '../../text.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import type { Rule } from '../engine/rule.ts';

/**
 * Reports a file that exists but cannot be read. A tool snapshot cannot have findings, so the finding for a snapshot is
 * in its catalog.
 */
export const unreadableFile: Rule = {
  name: 'unreadable-file',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 1' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  isSuppressible: false,
  *check(file, analysis) {
    const own = analysis.unreadable(file.uri);
    if (own) {
      const { reason, advice } = UNREADABLE[own];
      const message = `This file cannot be read: ${reason}. ${advice}`;
      yield { span: span(0, 0), message };
    }
    if (file.dialect !== 'catalog') return;
    const beside = analysis.unreadable(`${folderOf(file.uri)}/${SNAPSHOT_NAME}`);
    if (!beside) return;
    const { reason, advice } = UNREADABLE[beside];
    const message = `\`${SNAPSHOT_NAME}\` cannot be read, so no tool name is checked: ${reason}. ${advice}`;
    yield { span: span(0, 0), message };
  },
};
