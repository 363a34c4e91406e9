#!/bin/bash
env | grep ^EGGO_ | sort
