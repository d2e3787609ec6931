/** Variables in configurations, whose values are never shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expandServer, readEnvFile, showServer } from '../../../server/src/tools/expand.ts';
import { maskOf, secretsInAddress } from '../../../server/src/tools/mask.ts';
import { readServers } from '../../../server/src/tools/read-servers.ts';

const environment = new Map([['HOST_TOKEN', 'from-environment']]);
const values = {
  inputs: new Map([
    ['key', 'from-input'],
    ['word', 'hunter'],
    ['mode', 'strict'],
  ]),
  isPassword: (id: string) => id !== 'mode',
  environment: (name: string) => environment.get(name),
  folder: '/w/project',
  home: '/home/ada',
  separator: '/',
};

function expanded(server: object, form: 'servers' | 'mcpServers' = 'servers') {
  const file = readServers(JSON.stringify({ [form]: { a: server } }));
  assert.ok(typeof file !== 'string' && file.servers[0]);
  return expandServer(file.servers[0], values);
}

function argumentsOf(args: readonly string[], form?: 'servers' | 'mcpServers'): readonly string[] | object {
  const ready = expanded({ command: 'x', args }, form);
  if ('inputs' in ready) return { inputs: ready.inputs, others: ready.others };
  return ready.transport.kind === 'stdio' ? ready.transport.args : [];
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of the clients. */
describe('expandServer', () => {
  it('replaces the variables of the editor', () => {
    assert.deepEqual(
      argumentsOf([
        '${workspaceFolder}/x',
        '${workspaceFolderBasename}',
        '${userHome}',
        'a${/}b',
        '${env:HOST_TOKEN}',
        '[${env:NONE}]',
        '${input:key}',
      ]),
      ['/w/project/x', 'project', '/home/ada', 'a/b', 'from-environment', '[]', 'from-input'],
    );
  });

  it('replaces variables without a prefix only for clients that support such variables', () => {
    assert.deepEqual(argumentsOf(['${HOST_TOKEN}', '${NONE:-other}'], 'mcpServers'), ['from-environment', 'other']);
    assert.deepEqual(argumentsOf(['${HOST_TOKEN}']), ['${HOST_TOKEN}']);
    assert.deepEqual(argumentsOf(['${NONE}'], 'mcpServers'), { inputs: [], others: ['${NONE}'] });
  });

  it('reports missing variables', () => {
    assert.deepEqual(argumentsOf(['${input:other}', '${command:x.y}']), {
      inputs: ['other'],
      others: ['${command:x.y}'],
    });
  });

  it('does not expand variables in the values of variables', () => {
    environment.set('NESTED', '${input:other}');
    assert.deepEqual(argumentsOf(['${env:NESTED}']), ['${input:other}']);
  });
});

describe('the values that a snapshot must not contain', () => {
  const tokens = (server: object): readonly string[] => {
    const ready = expanded(server, 'mcpServers');
    assert.ok('tokens' in ready);
    return ready.tokens;
  };

  it('are those of variables, arguments and headers, except short words', () => {
    environment.set('MODE', 'read').set('PIN', 'a1b2');
    const args = ['${env:MODE}', '${env:PIN}', '${input:mode}', '${input:word}', '--token', 'falcon'];
    assert.deepEqual(tokens({ command: 'x', args }), ['a1b2', 'hunter', 'falcon']);
    const headers = { 'X-Key': 'secret', 'X-Mode': 'strict', 'X-Id': 'k9-f2', Accept: 'application/json' };
    assert.deepEqual(tokens({ url: 'https://ada:pa55@h/', headers }), ['ada:pa55', 'pa55', 'secret', 'k9-f2']);
  });

  it('are those of variables with the name of a secret, and logins in addresses', () => {
    const env = { API_TOKEN: 'literal-value', LOG_LEVEL: 'verbose-mode', DATABASE_URL: 'pg://me:pa55@host/db' };
    assert.deepEqual(tokens({ command: 'x', env }), ['literal-value', 'me:pa55', 'pa55']);
  });
});

describe('showServer', () => {
  const shown = (server: object) => {
    const ready = expanded(server);
    assert.ok('hidden' in ready);
    return showServer(ready);
  };

  it('shows the exact command, with masked secrets', () => {
    const server = {
      command: 'npx',
      args: [
        '-y',
        'pkg',
        '--api-key',
        'literal',
        '--token=other',
        '${input:key}',
        'two words',
        'KEEP=it',
        'pg://me:pa55@host/db',
      ],
      env: { A: 'x-value' },
      cwd: '/w',
    };
    assert.deepEqual(shown(server), {
      what: 'npx -y pkg --api-key *** --token=*** *** "two words" KEEP=it pg://***@host/db',
      details: ['in /w', 'with the variable A=***'],
    });
  });

  it('shows an address with its path', () => {
    assert.deepEqual(shown({ url: 'https://h/mcp?team=a&access_token=b-c-d', headers: { 'X-Key': 'v' } }), {
      what: 'https://h/mcp?team=a&access_token=***',
      details: ['with the header X-Key=***'],
    });
  });

  it('escapes deceptive characters', () => {
    const { what } = shown({ command: 'x', args: ['a\n  ok (file)', '\u202egnp', '\u001b[2K'] });
    assert.equal(what, 'x "a␊  ok (file)" \\u202egnp "␛[2K"');
  });
});
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables of the clients. */

describe('maskOf', () => {
  it('masks a value in every spelling', () => {
    const mask = maskOf(['Bearer p@ss word', 'li"ne\none', '42']);
    assert.equal(
      mask('p@ss, p%40ss, Bearer p@ss word, li\\"ne\\none, 42 but 142 and 4.42'),
      '***, ***, ***, ***, *** but 142 and 4.42',
    );
  });

  it('masks a secret in other encodings, and a long one as a whole', () => {
    const mask = maskOf(['s3cr3t-Value']);
    const encoded = [Buffer.from('u:s3cr3t-Value').toString('base64'), Buffer.from('s3cr3t-Value').toString('hex')];
    for (const one of encoded) assert.match(mask(`<${one}>`), /^<[\w+/]{0,4}\*\*\*[\w+/=]{0,4}>$/);
    assert.equal(mask('S3CR3T-value s3%63r3t%2dValue s3\\u0063r3t-Value'), '*** *** ***');
    const key = `-----BEGIN KEY-----\n${'aB3/'.repeat(500)}\n-----END KEY-----`;
    assert.equal(maskOf([key])(`<${JSON.stringify(key)}>`), '<"***">');
  });

  it('masks the password in a header for a login', () => {
    const mask = maskOf([`Basic ${Buffer.from('ada:pa55-word').toString('base64')}`]);
    assert.equal(mask('as ada with pa55-word'), 'as ada with ***');
  });

  it('masks strings that look like tokens', () => {
    assert.equal(maskOf([])('key AKIAQ7ZJ4XVM2TNLK5RB.'), 'key ***.');
  });

  it('changes nothing without secrets', () => {
    assert.equal(maskOf([''])('as it is'), 'as it is');
  });
});

it('readEnvFile reads names, quotes and `export`', () => {
  assert.deepEqual(
    [...readEnvFile('# no\nA=1\r\nexport B = "two words" \nC=\'x\'\nbroken\n')],
    [
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'x'],
    ],
  );
});

it('quickly reads environment files and addresses of any length', { timeout: 20_000 }, () => {
  const blanks = ' '.repeat(300_000);
  assert.deepEqual([...readEnvFile(`A=x${blanks}y`)], [['A', `x${blanks}y`]]);
  assert.deepEqual(secretsInAddress(`https://x/${'?'.repeat(300_000)}a&key=secret`), ['secret']);
});
