/** Scripts that try to get out of the sandbox or to use it up, with what each must not achieve. */

/** What a script may look for: texts and addresses of the server. */
export interface Outside {
  /** A file of the server with the secret. */
  readonly canary: string
  /** A folder of the server, as its data folder. */
  readonly folder: string
  /** A listener on 127.0.0.1. */
  readonly port: number
  /** The server’s own process. */
  readonly pid: number
}

export const secret = 'CANARY-c0ffee-42'

/** Named scripts that must end by themselves without the secret in their output. */
export function escapes({ canary, folder, port, pid }: Outside): readonly (readonly [string, string])[] {
  return [
    ['reads /etc/passwd', 'cat /etc/passwd | grep root:x && echo LEAK'],
    ['reads a file of the server', `cat ${canary}`],
    [
      'reads a file of the server by a way up',
      `cat ../../../../../../../../..${canary}; cat /workspace/../..${canary}`,
    ],
    ['lists the folder of the server', `ls -R ${folder} && echo LEAK`],
    [
      'reads through /proc',
      `cat /proc/1/root${canary}; cat /proc/self/root${canary}; cat /proc/${pid}/root${canary}`,
    ],
    [
      'reads the environment of the server',
      `cat /proc/${pid}/environ /proc/1/environ /proc/self/environ; env; export -p`,
    ],
    [
      'reads through a link',
      `ln -s ${canary} link; cat link; ln -s / up; cat up${canary}; ln ${canary} hard; cat hard`,
    ],
    [
      'writes beside the canary',
      `echo x > ${canary}-written; echo x > ${folder}/written; cp /bin/sh ${folder}/sh`,
    ],
    [
      'writes to the system',
      'for each in /usr /etc /bin /lib /dev; do (echo x > $each/loopwright-x) 2>/dev/null && [ -e /usr/bin/env ] && cat $each/loopwright-x | grep -q x && echo "WROTE $each"; done; true',
    ],
    [
      'connects to the server',
      `(exec 3<>/dev/tcp/127.0.0.1/${port} && echo LEAK >&3) 2>&1; curl -s http://127.0.0.1:${port}/; wget -qO- http://127.0.0.1:${port}/`,
    ],
    [
      'connects to the metadata address',
      // A file of that name in memory is no connection, so only an answer counts.
      '(exec 3<>/dev/tcp/169.254.169.254/80 && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && head -c 5 <&3 | grep -q "^HTTP/" && echo LEAK) 2>&1; true',
    ],
    ['ends processes of the server', `kill -9 ${pid}; kill -9 -1 2>/dev/null; echo survived`],
    [
      'mounts and becomes another user',
      'mount -t proc proc /tmp && echo LEAK; unshare -r true && echo LEAK; sudo -n true && echo LEAK; chroot / true && echo LEAK; true',
    ],
    [
      'looks for secrets in its own start',
      'tr "\\0" "\\n" < /proc/1/cmdline; cat /proc/self/mountinfo >/dev/null; true',
    ],
  ]
}
