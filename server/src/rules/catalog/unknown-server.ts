import { replaceName } from '../../analysis/name-fixes.ts';
import { findValue, listItems, stringOf } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a server that a catalog names but that the referenced configuration file does not contain. */
export const unknownServer: Rule = {
  name: 'unknown-server',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/tools.md, "Name the servers"' },
  dialects: ['catalog'],
  *check(file, analysis) {
    const targets = linkTargets(file);
    for (const item of listItems(findValue(file.frontmatter.tree.root, 'tools'))) {
      const from = findValue(item, 'from');
      const target = from && targets.find(({ span }) => span.start >= from.span.start && span.end <= from.span.end);
      // Undefined until a host has read the file, and also if the file contains no servers.
      const known = target && analysis.serversIn(target.uri);
      if (!known) continue;
      const servers = findValue(item, 'servers');
      for (const server of servers?.kind === 'list' ? servers.items : [servers]) {
        const name = stringOf(server);
        // `invalid-value` reports a value that is not a string.
        if (!server || name === undefined || known.includes(name)) continue;
        const near = nearestNames(name, known);
        yield {
          span: server.span,
          message: `\`${target.path}\` has no server \`${name}\`.${didYouMean(near)}`,
          fixes: replaceName(file, [server.span], near),
        };
      }
    }
  },
};
