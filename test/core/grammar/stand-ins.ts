/**
 * Small stand-ins for the YAML and Markdown grammars of VS Code, which tests do not have. The stand-ins open and close
 * blocks as the originals do, so a rule that takes precedence over a stand-in also takes precedence over the original.
 * A heading is one match; a fence has a rule that lasts until the fence closes; lists and quotes last as long as their
 * lines; a paragraph is one line.
 */

const line = '(?:^|\\G)';

const fence = (name: string, info: string, inside: readonly object[]) => ({
  name: 'markup.fenced_code.block.markdown',
  begin: `${line}[ ]*(\`{3,}|~{3,})[ ]*${info}[^\`]*$`,
  end: `${line}[ ]{0,3}\\1[ ]*$`,
  patterns: [
    {
      begin: `${line}(.*)`,
      while: `${line}(?![ ]*[\`~]{3,}[ ]*$)`,
      contentName: `meta.embedded.block.${name}`,
      patterns: inside,
    },
  ],
});

const paragraph = (condition: string) => ({
  begin: `${line}[ ]{0,3}(?=[^ \\t\\n])`,
  while: condition,
  name: 'meta.paragraph.markdown',
  patterns: [{ include: '#inline' }],
});

export const markdown = {
  scopeName: 'text.html.markdown',
  patterns: [{ include: '#block' }],
  repository: {
    block: {
      patterns: [
        { include: '#heading' },
        { include: '#quote' },
        { include: '#list' },
        { include: '#fenced_code_block_yaml' },
        { include: '#fenced_code_block_json' },
        { include: '#fence' },
        { include: '#comment' },
        paragraph(`${line}(?=[ ]{4,}\\S)`),
      ],
    },
    heading: {
      match: `${line}[ ]{0,3}((#{1,6})\\s+(.*))$`,
      name: 'markup.heading.markdown',
      captures: { 3: { name: 'entity.name.section.markdown', patterns: [{ include: '#inline' }] } },
    },
    quote: {
      begin: `${line}[ ]{0,3}> ?`,
      while: `${line}\\s*> ?`,
      name: 'markup.quote.markdown',
      patterns: [{ include: '#block' }],
    },
    list: {
      begin: `${line}[ ]{0,3}(?:[-*+]|[0-9]+\\.)[ ]`,
      while: `${line}(?:[ ]{2,4}|[ ]*$)`,
      name: 'markup.list.markdown',
      patterns: [{ include: '#block' }],
    },
    fence: fence('text', '', []),
    fenced_code_block_yaml: fence('yaml', 'yaml\\b', [{ include: 'source.yaml' }]),
    fenced_code_block_json: fence('json', 'json\\b', []),
    comment: { begin: '<!--', end: '-->', name: 'comment.block.html' },
    inline: {
      patterns: [
        { match: '(`+)[^`]+\\1', name: 'markup.inline.raw.string.markdown' },
        {
          begin: '\\*\\*(?=[^*]+\\*\\*)',
          end: '\\*\\*',
          name: 'markup.bold.markdown',
          patterns: [{ include: '#inline' }],
        },
        { match: '\\[([^\\]]*)\\]\\(([^)]*)\\)', captures: { 2: { name: 'markup.underline.link.markdown' } } },
      ],
    },
  },
};

const string = (quote: string, name: string) => ({ begin: quote, end: quote, name: `string.quoted.${name}.yaml` });

const comment = { match: '(?:(?<=\\s)|^)#.*$', name: 'comment.line.number-sign.yaml' };
const plainStart = '(?=[^\\s:,{}\\[\\]#"\'-])';
const plain = { begin: plainStart, end: '(?=\\s+#|$|[,{}\\[\\]])' };
/** An unquoted string inside brackets, except a key. */
const plainIn = { ...plain, begin: `${plainStart}(?![\\w-]+:(?:\\s|$))`, name: 'string.unquoted.plain.in.yaml' };

export const yaml = {
  scopeName: 'source.yaml',
  patterns: [
    comment,
    { begin: '(?<=: )[|>][-+]?$', while: '^(?:[ ]|$)', contentName: 'string.unquoted.block.yaml' },
    { match: '(?:^|(?<=[\\s{,]))[\\w-]+(?=:(?:\\s|$))', name: 'entity.name.tag.yaml' },
    string('"', 'double'),
    string("'", 'single'),
    { begin: '\\{', end: '\\}', name: 'meta.flow.mapping.yaml', patterns: [plainIn, { include: '$self' }] },
    { begin: '\\[', end: '\\]', name: 'meta.flow.sequence.yaml', patterns: [plainIn, { include: '$self' }] },
    { match: ':(?=\\s|$)|-(?=\\s)', name: 'punctuation.separator.yaml' },
    { begin: plainStart, while: '(?!)', patterns: [comment, { ...plain, name: 'string.unquoted.plain.out.yaml' }] },
  ],
};
