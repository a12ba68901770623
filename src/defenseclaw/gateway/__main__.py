"""The gateway process: ``python -I …/gateway/__main__.py --home DATA_HOME``.

Python keeps no bytecode of the file that it is started with, so this one is short.
"""

import gc
import sys

if __name__ == "__main__":
    # What is loaded stays, and the collector would look through it again and again meanwhile. It
    # is put to work when serving begins.
    gc.disable()
    from defenseclaw.gateway.process import main

    sys.exit(main())
