#!/bin/bash
echo "prejoin on $EGGO_NODE_NAME"
